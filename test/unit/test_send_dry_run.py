"""A dry run without a controller: it says what the controller would say, and needs no ROS."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from id_controller.command_line.main import main
from id_controller.command_line.send_facts import situation_of_robot
from id_controller.command_line.send_options import SendOptions
from id_controller.command_line.send_points import wanted_points
from id_controller.command_line.send_preview import interpolation, overloaded, preview
from id_controller.trajectory.planning import planned

WITHOUT_ROS = """
import sys
sys.modules['rclpy'] = sys.modules['mujoco'] = None
from id_controller.command_line.main import main
sys.exit(main(sys.argv[1:]))
"""
JOINTS = tuple(f'joint{k}' for k in range(1, 8))


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]):
    def run(*words: object, code: int = 0) -> str:
        assert main(['send', *map(str, words), '--dry-run']) == code
        captured = capsys.readouterr()
        return captured.out + captured.err

    return run


@pytest.mark.parametrize('robot', ['arm7', 'two_link'])
@pytest.mark.parametrize('motion', ['sine', 'quintic_tour', 'sweep'])
def test_motions_are_accepted(said, robot: str, motion: str) -> None:
    text = said('motion', motion, '--robot', robot)
    assert text.startswith('accepted: ')
    assert 'quintic between the points' in text


def test_a_pose(said) -> None:
    lines = said('pose', 'joint2=-0.3', 'joint4=1', '--time', 2, '--robot', 'arm7').splitlines()
    assert lines[0] == 'accepted: 1 point, 2.000 s, one quintic from the reference to the point'
    rows = {row.split()[0]: row.split()[1:] for row in lines[3:]}
    assert tuple(rows) == JOINTS
    # 1.875 times the mean velocity of 0.15 rad/s, of 2.2; 10 / sqrt(3) times 0.3 rad / (2 s)^2.
    assert rows['joint2'][:7] == ['rad', '0.000', '-0.300', '0.281', '13', '%', '0.433']
    assert rows['joint4'][:3] == ['rad', '1.200', '1.000']
    assert rows['joint7'][1:6] == ['0.000', '0.000', '0.000', '0', '%']


@pytest.mark.parametrize(
    ('words', 'reason'),
    [
        (['joint1=9'], "refused: point 0, joint 'joint1', position: got 9, expected -2.9 to 2.9"),
        (['joint1=2', '--time', '0.1'], 'velocity: got '),
        (['jiont1=0'], "jiont1=0: no such joint; did you mean 'joint1'?"),
        (['joint1=0', 'joint1=1'], 'joint1=1: got joint1 again, expected it once'),
    ],
)
def test_a_pose_is_refused_with_the_reason(said, words: list[str], reason: str) -> None:
    text = said('pose', *words, '--robot', 'arm7', code=2)
    assert text.startswith('error: ')
    assert reason in text
    assert text.count('\n') == 1


def test_files_are_planned_as_the_controller_does(said, tmp_path: Path) -> None:
    path = tmp_path / 'm.csv'
    path.write_text(f'time,{",".join(JOINTS)}\n1,0.1,0,0,1.2,0,0,0\n2,nan,0,0,1.2,0,0,0\n')
    text = said('file', path, '--robot', 'arm7', code=2)
    assert "refused: point 1, joint 'joint1', position: got nan" in text
    path.write_text('time,joint1\n1,0.1\n')
    assert 'joint2, joint3' in said('file', path, '--robot', 'arm7', code=2)
    assert 'cannot read' in said('file', tmp_path / 'no.yaml', '--robot', 'arm7', code=2)


def test_the_duration_of_a_motion(said) -> None:
    assert ' 30.500 s' in said('motion', 'sweep', '--duration', 30, '--robot', 'arm7')
    assert ' 4.500 s' in said('motion', 'sine', '--duration', 4, '--robot', 'arm7')
    text = said('motion', 'quintic_tour', '--duration', 1, '--robot', 'arm7', code=2)
    assert 'quintic_tour: got a duration of 1 s, expected at least' in text


def test_a_plot(said, tmp_path: Path) -> None:
    pytest.importorskip('matplotlib')
    path = tmp_path / 'p.png'
    assert f'wrote {path}' in said('pose', 'elbow=1', '--robot', 'two_link', '--plot', path)
    assert path.read_bytes().startswith(b'\x89PNG')
    wrong = said('pose', 'elbow=1', '--robot', 'two_link', '--plot', tmp_path / 'p.doc', code=2)
    assert 'p.doc' in wrong


def test_a_robot_is_for_dry_runs_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['send', 'pose', 'joint1=0', '--robot', 'arm7']) == 2
    assert 'expected --robot and --dry-run' in capsys.readouterr().err


def test_a_dry_run_of_a_robot_needs_neither_ros_nor_the_simulator() -> None:
    words = ['send', 'motion', 'sine', '--robot', 'two_link', '--dry-run']
    done = subprocess.run(
        [sys.executable, '-c', WITHOUT_ROS, *words], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done
    assert done.stderr == ''


def points_of(**options: object):
    situation = situation_of_robot('arm7', None)
    return wanted_points(SendOptions(**options), situation), situation


def test_degrees_and_the_time_that_a_pose_takes_by_itself() -> None:
    points, _ = points_of(what='pose', pose=(('joint1', 90.0),), degrees=True)
    assert points.q is not None
    assert points.q[0] == pytest.approx([np.pi / 2, 0.0, 0.0, 1.2, 0.0, 0.0, 0.0])
    # 0.3 of 2.2 rad/s at the peak, 1.875 times the mean.
    assert points.times[0] == pytest.approx(1.875 * np.pi / 2 / (0.3 * 2.2))
    assert points_of(what='pose', pose=(('joint1', 0.01),))[0].times.tolist() == [1.0]


def test_a_preview_begins_at_the_reference_and_ends_at_the_last_point() -> None:
    points, situation = points_of(what='pose', pose=(('joint2', 0.6),), time=3.0)
    seen = preview(planned(points, situation.configuration.rules(), situation.reference, 0),
                   situation)
    assert seen.duration_s == 3.0
    assert np.array_equal(seen.q[0], situation.reference.q)
    assert np.array_equal(seen.q[-1], points.q[0])
    assert not seen.v[-1].any()
    still = situation.configuration.model.gravity(seen.q[-1])
    assert seen.tau[-1] == pytest.approx(still)
    assert overloaded(seen, situation) == ()


def test_too_much_for_a_joint_is_said() -> None:
    points, situation = points_of(what='pose', pose=(('joint2', 0.6),), time=3.0)
    seen = preview(planned(points, situation.configuration.rules(), situation.reference, 0),
                   situation)
    seen.tau[100, 1] = -1e4
    (line,) = overloaded(seen, situation)
    assert line.startswith('joint2: this takes up to 1e+04 of ')


@pytest.mark.parametrize(
    ('count', 'v', 'a', 'method', 'words'),
    [
        (1, None, None, 'splines', 'one quintic'),
        (2, None, None, 'splines', 'linear'),
        (2, 1, None, 'splines', 'cubic'),
        (2, 1, 1, 'splines', 'quintic between'),
        (2, None, None, 'c2', 'smooth'),
        (2, None, None, 'none', 'steps'),
    ],
)
def test_the_interpolation_has_a_name(
    count: int, v: object, a: object, method: str, words: str
) -> None:
    points = SimpleNamespace(times=np.arange(count), v=v, a=a)
    assert interpolation(points, method).startswith(words)
