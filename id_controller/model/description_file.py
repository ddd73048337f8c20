"""Robot descriptions in files: plain URDF, or xacro to be processed."""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from id_controller.errors import InstallationError, ModelError


def load_description(path: str | Path, mappings: Mapping[str, str] | None = None) -> str:
    """
    Read the URDF text of a file.

    :param path: A ``.xacro`` file is processed, any other is taken as URDF.
    :param mappings: Arguments of the xacro file, as in ``xacro FILE name:=value``.
    :raises ModelError: when the file cannot be read or processed.
    :raises InstallationError: when xacro is needed and not installed.
    """
    file = Path(path).expanduser()
    if not file.is_file():
        kind = 'a folder' if file.is_dir() else 'no such file'
        raise ModelError(f'robot description file {file}: got {kind}, expected a URDF or xacro')
    if file.suffix == '.xacro':
        return _processed(file, dict(mappings or {}))
    if mappings:
        raise ModelError(
            f'robot description file {file}: got xacro arguments ({", ".join(mappings)}), but it '
            'does not end in .xacro'
        )
    try:
        text = file.read_text(encoding='utf-8-sig')
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f'robot description file {file}: cannot be read: {error}') from error
    if not text.strip():
        raise ModelError(f'robot description file {file}: got an empty file, expected a URDF')
    return text


def _processed(file: Path, mappings: dict[str, str]) -> str:
    try:
        import xacro
    except ImportError as error:
        raise InstallationError(
            f'robot description file {file}: needs xacro, which is not installed; '
            'pip install xacro, or apt install ros-$ROS_DISTRO-xacro'
        ) from error
    try:
        document = xacro.process_file(str(file), mappings=mappings)
    # xacro lets through whatever its expressions and its parser raise; they have no root.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        reason = ' '.join(str(error).split()) or type(error).__name__
        raise ModelError(
            f'robot description file {file}: xacro: {reason}; run "xacro {file}" to see where, '
            'in a shell that knows the packages it finds'
        ) from error
    return str(document.toprettyxml(indent='  '))
