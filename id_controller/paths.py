"""Where the files that are no code lie: robots, configurations, launch files."""
from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from id_controller.errors import InstallationError

PACKAGE = 'id_controller'
FOLDERS = ('urdf', 'config', 'launch')


def share(folder: str) -> Path:
    """
    Find a folder of the package, however the package was installed.

    The files that belong to the imported code win: a source tree (plain or editable), then the
    prefix that holds the code (pip, colcon). The ament index and the prefix of the interpreter
    come after them. None of it needs ``AMENT_PREFIX_PATH``.

    :param folder: One of ``FOLDERS``.
    :raises InstallationError: when no place has it; names the places.
    """
    if folder not in FOLDERS:
        raise InstallationError(
            f'the package has no folder {folder!r}: expected one of {", ".join(FOLDERS)}'
        )
    places = list(dict.fromkeys(root / folder for root in _roots()))
    for place in places:
        if place.is_dir():
            return place
    looked = ', '.join(str(place) for place in places)
    raise InstallationError(
        f'no folder {folder!r} of {PACKAGE}: looked for {looked}; '
        f'install the package again (pip install . or colcon build)'
    )


def _roots() -> Iterator[Path]:
    """Places that may hold the folders, the nearest to the code first."""
    code = Path(__file__).resolve()
    if (code.parents[1] / 'package.xml').is_file():
        yield code.parents[1]
    for parent in code.parents[1:]:
        root = parent / 'share' / PACKAGE
        if root.is_dir():
            yield root
    yield from _indexed()
    yield Path(sys.prefix) / 'share' / PACKAGE


def _indexed() -> Iterator[Path]:
    """Prefixes of the ament index that hold the package (REP 122; read without ROS)."""
    marker = Path('share', 'ament_index', 'resource_index', 'packages', PACKAGE)
    for prefix in filter(None, os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)):
        if (Path(prefix) / marker).is_file():
            yield Path(prefix) / 'share' / PACKAGE
