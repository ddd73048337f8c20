"""The command as a person types it: what it refuses, in one line and with exit code 2."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from id_controller.model.robots import robot_path
from id_controller.paths import share

MAIN = 'import sys; from id_controller.command_line.main import main; sys.exit(main())'


def typed(*arguments: object, code: str = MAIN) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, '-c', code, *map(str, arguments)],
        capture_output=True, text=True, timeout=60, check=False,
    )


def refusal(*arguments: object) -> str:
    """The one line that a refused command says."""
    done = typed(*arguments)
    assert done.returncode == 2, done
    assert done.stdout == ''
    (line,) = done.stderr.splitlines()
    assert line.startswith('error: ')
    return line


def two_link(tmp_path: Path, old: str, new: str) -> Path:
    text = robot_path('two_link').read_text(encoding='utf-8')
    assert old in text
    path = tmp_path / 'robot.urdf'
    path.write_text(text.replace(old, new), encoding='utf-8')
    return path


def parameters(tmp_path: Path, text: str) -> Path:
    path = tmp_path / 'parameters.yaml'
    lines = ''.join(f'    {line}\n' for line in text.splitlines())
    path.write_text(f'/**:\n  ros__parameters:\n{lines}', encoding='utf-8')
    return path


BOTH = pytest.mark.parametrize('command', ['check', 'demo'])


@BOTH
def test_missing_robot_file(command: str, tmp_path: Path) -> None:
    line = refusal(command, tmp_path / 'nothing.urdf')
    assert 'nothing.urdf' in line
    assert 'no such file' in line
    assert 'expected a URDF or xacro' in line


@BOTH
def test_unknown_robot_name(command: str) -> None:
    line = refusal(command, 'pandda')
    assert "'pandda'" in line
    assert 'panda' in line.replace('pandda', '')


@BOTH
def test_broken_xml(command: str, tmp_path: Path) -> None:
    line = refusal(command, two_link(tmp_path, '</robot>', ''))
    assert 'robot.urdf' in line
    assert 'expected the XML of a URDF' in line


@BOTH
def test_xacro_error(command: str, tmp_path: Path) -> None:
    path = tmp_path / 'robot.xacro'
    path.write_text(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<link name="${undefined_name}"/></robot>', encoding='utf-8',
    )
    line = refusal(command, path)
    assert 'robot.xacro' in line
    assert 'undefined_name' in line


@BOTH
def test_unknown_joint(command: str, tmp_path: Path) -> None:
    file = parameters(tmp_path, 'joints: [shoulder, elbwo]\ngains: {elbwo: {p: 1.0}}')
    line = refusal(command, 'two_link', '--params', file)
    assert "'elbwo'" in line
    assert "'elbow'" in line or 'elbow' in line.replace('elbwo', '')


@BOTH
def test_wrong_type_of_a_gain(command: str, tmp_path: Path) -> None:
    file = parameters(tmp_path, 'joints: [shoulder, elbow]\ngains: {elbow: {p: stiff}}')
    line = refusal(command, 'two_link', '--params', file)
    assert 'parameters.yaml' in line
    assert "gains.elbow.p: got 'stiff' (str), expected a number" in line


@BOTH
def test_unknown_parameter(command: str, tmp_path: Path) -> None:
    file = parameters(tmp_path, 'joints: [shoulder, elbow]\ngains: {elbow: {kp: 3.0}}')
    line = refusal(command, 'two_link', '--params', file)
    assert 'parameters.yaml' in line
    assert 'gains.elbow.kp: no such parameter; the nearest is gains.elbow.p' in line


@BOTH
def test_missing_parameter_file(command: str, tmp_path: Path) -> None:
    line = refusal(command, 'two_link', '--params', tmp_path / 'none.yaml')
    assert 'none.yaml: cannot read the parameter file: No such file' in line


@BOTH
def test_parameter_file_without_our_section(command: str, tmp_path: Path) -> None:
    path = tmp_path / 'other.yaml'
    path.write_text('camera:\n  ros__parameters: {rate: 3}\n', encoding='utf-8')
    assert 'got the sections camera, expected' in refusal(command, 'two_link', '--params', path)


@BOTH
def test_joint_without_effort_limit(command: str, tmp_path: Path) -> None:
    line = refusal(command, two_link(tmp_path, 'effort="15"', 'effort="0"'))
    assert "'elbow'" in line
    assert 'effort_limit_policy' in line


def test_too_short_a_demo() -> None:
    assert '--duration: got 2 s, expected at least 6' in refusal('demo', '--duration', '2')


def test_report_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / 'taken').write_text('', encoding='utf-8')
    line = refusal('demo', '--output', tmp_path / 'taken')
    assert f'cannot make the folder {tmp_path / "taken"}' in line


@pytest.mark.parametrize('delay', ['-1', 'soon', 'nan'])
def test_impossible_delay(delay: str) -> None:
    done = typed('check', 'arm7', f'--delay-ms={delay}')
    assert done.returncode == 2
    assert delay in done.stderr
    assert 'Traceback' not in done.stderr


@pytest.mark.parametrize('robot', ['arm7', 'panda', 'ur5', 'kinova'])
def test_shipped_robots_are_fine(robot: str) -> None:
    done = typed('check', robot)
    assert done.stderr == ''
    assert done.returncode in (0, 1), done.stdout


def test_check_needs_neither_ros_nor_the_simulator() -> None:
    code = (
        'import sys; sys.modules["rclpy"] = sys.modules["mujoco"] = None; '
        'from id_controller.command_line.main import main; sys.exit(main())'
    )
    done = typed('check', 'arm7', code=code)
    assert done.returncode == 0, done


def test_check_of_the_machine_needs_no_robot() -> None:
    done = typed('check', '--realtime')
    assert done.returncode in (0, 1), done
    assert done.stderr == ''
    for name in ('kernel', 'SCHED_FIFO', 'locked memory', 'clock source', 'wake-up at 1000 Hz'):
        assert f'  {name} ' in done.stdout
    assert ('!!' in done.stdout) is (done.returncode == 1)


def test_check_of_nothing() -> None:
    assert 'got neither a ROBOT nor --realtime' in refusal('check')


def test_help_names_both_commands() -> None:
    done = typed('--help')
    assert done.returncode == 0
    assert 'check' in done.stdout
    assert 'demo' in done.stdout


def test_shipped_parameter_file_may_be_named(tmp_path: Path) -> None:
    named = typed('check', robot_path('panda'), '--params', share('config') / 'panda.yaml')
    assert named.returncode == typed('check', 'panda').returncode
    assert 'panda_joint7' in named.stdout
