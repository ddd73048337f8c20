"""Parameter files that launch writes from the lists in a launch file."""
from __future__ import annotations

from pathlib import Path

import pytest

from id_controller.errors import ParameterError
from id_controller.ros.arguments import check_parameter_files

WRITTEN = '/**:\n  ros__parameters:\n    joints: !!python/tuple\n    - joint1\n    - {second}\n'


def written(folder: Path, second: str) -> list[str]:
    path = folder / 'launch_params'
    path.write_text(WRITTEN.format(second=second))
    return ['node', '--ros-args', '--params-file', str(path)]


def test_a_list_written_as_a_tuple_is_a_list(tmp_path: Path) -> None:
    check_parameter_files(written(tmp_path, 'joint2'))
    with pytest.raises(ParameterError, match='joints: got a list of mixed types'):
        check_parameter_files(written(tmp_path, '2'))


def test_no_other_python_object_is_made(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match='not valid YAML'):
        check_parameter_files(written(tmp_path, "!!python/name:os.system ''"))
