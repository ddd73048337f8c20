"""The package finds its files however it was installed."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from id_controller import paths
from id_controller.errors import InstallationError

ROOT = Path(__file__).resolve().parents[2]


def copied(folder: Path) -> Path:
    """A copy of the code that is needed, as an installer would lay it."""
    for name in ('__init__.py', 'errors.py', 'paths.py'):
        target = folder / 'id_controller' / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / 'id_controller' / name, target)
    return folder


def found(code: Path, **environment: str) -> str:
    """What a fresh interpreter that imports this code finds, or the error's last line."""
    program = 'from id_controller.paths import share; print(share("urdf"))'
    kept = {'PATH': os.environ['PATH'], 'PYTHONPATH': str(code), **environment}
    done = subprocess.run(
        [sys.executable, '-S', '-c', program], env=kept, cwd=code, capture_output=True, text=True
    )
    return (done.stdout or done.stderr.strip().splitlines()[-1]).strip()


def with_share(prefix: Path) -> Path:
    (prefix / 'share' / 'id_controller' / 'urdf').mkdir(parents=True)
    return prefix / 'share' / 'id_controller' / 'urdf'


@pytest.mark.parametrize('folder', paths.FOLDERS)
def test_source_tree(folder: str) -> None:
    assert paths.share(folder) == ROOT / folder


@pytest.mark.parametrize(
    'packages', ['lib/python3.11/site-packages', 'local/lib/python3.12/dist-packages']
)
def test_prefix_that_holds_the_code(tmp_path: Path, packages: str) -> None:
    urdf = with_share(tmp_path)
    assert found(copied(tmp_path / packages)) == str(urdf)


def test_link_to_the_source_tree(tmp_path: Path) -> None:
    (tmp_path / 'id_controller').symlink_to(ROOT / 'id_controller')
    assert found(tmp_path) == str(ROOT / 'urdf')


def test_ament_index_without_ros(tmp_path: Path) -> None:
    code = copied(tmp_path / 'code')
    other, prefix = tmp_path / 'other', tmp_path / 'prefix'
    with_share(other)  # no marker: another package's prefix does not count
    urdf = with_share(prefix)
    marker = prefix / 'share' / 'ament_index' / 'resource_index' / 'packages' / 'id_controller'
    marker.parent.mkdir(parents=True)
    marker.touch()
    assert found(code, AMENT_PREFIX_PATH=f'{other}:{prefix}') == str(urdf)


def test_nowhere_names_the_places(tmp_path: Path) -> None:
    line = found(copied(tmp_path / 'code'))
    assert 'InstallationError' in line
    assert 'share/id_controller/urdf' in line
    assert 'pip install' in line


def test_unknown_folder() -> None:
    with pytest.raises(InstallationError, match='launch'):
        paths.share('meshes')
