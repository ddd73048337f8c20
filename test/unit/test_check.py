"""The check of a robot, against numbers worked out on paper for the two-link arm."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from id_controller.command_line.check import examined, run
from id_controller.command_line.check_data import Check
from id_controller.command_line.check_findings import findings
from id_controller.command_line.check_table import report
from id_controller.command_line.chosen_robot import choose_robot
from id_controller.command_line.derived_gains import derived_gains
from id_controller.errors import ModelError, ParameterError
from id_controller.model.robots import robot_path

GAINS = (
    'gains: {shoulder: {p: 172.0, d: 18.0}, elbow: {p: 21.0, d: 2.2}}\n'
    'acceleration_gains: {shoulder: {p: 100.0, d: 20.0}, elbow: {p: 144.0, d: 24.0}}\n'
)


def parameters(tmp_path: Path, text: str = GAINS) -> Path:
    path = tmp_path / 'parameters.yaml'
    whole = 'joints: [shoulder, elbow]\n' + text
    lines = ''.join(f'    {line}\n' for line in whole.splitlines())
    path.write_text(f'/**:\n  ros__parameters:\n{lines}', encoding='utf-8')
    return path


def checked(tmp_path: Path, text: str = GAINS, delay_s: float = 0.001) -> Check:
    return examined(choose_robot('two_link', parameters(tmp_path, text)), delay_s)


def rows(text: str, title: str) -> dict[str, list[str]]:
    """Rows of the section whose title begins so, by joint."""
    lines = next(part for part in text.split('\n\n') if part.startswith(title)).splitlines()
    return {words[0]: words[1:] for words in map(str.split, lines[1:])}


def without_forearm_mass(tmp_path: Path) -> str:
    text = robot_path('two_link').read_text(encoding='utf-8')
    before, _, rest = text.partition('<link name="forearm">')
    bare = before + '<link name="forearm">' + rest[rest.index('</inertial>') + 11 :]
    (tmp_path / 'robot.urdf').write_text(bare, encoding='utf-8')
    return str(tmp_path / 'robot.urdf')


def test_joints_table(tmp_path: Path) -> None:
    table = rows(report(checked(tmp_path, GAINS + 'armature: {elbow: 0.25}')), 'Joints')
    assert table['shoulder'] == [
        'revolute', '-2.50', '2.00', '3.00', '40.0', '0.300', '0.200', '0.000',
    ]
    assert table['elbow'] == [
        'revolute', '-2.20', '2.40', '4.00', '15.0', '0.100', '0.050', '0.250',
    ]


def test_masses(tmp_path: Path) -> None:
    assert 'sum to 3.000 kg, the controlled joints move 3.000 kg' in report(checked(tmp_path))


def test_gravity_at_the_start_pose_which_is_also_the_worst(tmp_path: Path) -> None:
    """Stretched out: 9.81 (2 * 0.25 + 1 * 0.7) and 9.81 * 1 * 0.2, down being positive."""
    table = rows(report(checked(tmp_path)), 'Gravity')
    assert table['shoulder'] == ['0.00', '-11.77', '-11.77', '40.0', '29', '%']
    assert table['elbow'] == ['0.00', '-1.96', '-1.96', '15.0', '13', '%']


def test_payload_adds_to_gravity(tmp_path: Path) -> None:
    check = checked(tmp_path, GAINS + 'payload: {frame: tool0, mass: 0.5}')
    np.testing.assert_allclose(check.gravity.at_pose, [-11.772 - 4.4145, -1.962 - 1.962])
    assert 'payload on tool0: 0.500 kg' in report(check)


def test_least_inertia_and_gain_numbers(tmp_path: Path) -> None:
    """
    The elbow feels least with the shoulder free: 1 / (M^-1)_22 = M_22 - M_12^2 / M_11.

    It is smallest with the arm stretched: M_22 = 0.06, M_12 = 0.16, M_11 = 0.175 + 0.51 = 0.685.
    """
    (gains, _) = checked(tmp_path).gain_checks
    least = 0.06 - 0.16**2 / 0.685
    assert gains.inertia[1] == pytest.approx(least, rel=1e-2)
    assert gains.inertia[1] >= least
    np.testing.assert_allclose(
        gains.stability.damping_number, np.array([0.018, 0.0022]) / gains.inertia
    )
    np.testing.assert_allclose(
        gains.stability.stiffness_number, np.array([172e-6, 21e-6]) / gains.inertia
    )


def test_acceleration_gains_act_on_an_inertia_of_one(tmp_path: Path) -> None:
    (_, gains) = checked(tmp_path).gain_checks
    np.testing.assert_allclose(gains.stability.damping_number, [0.020, 0.024])
    np.testing.assert_allclose(gains.stability.stiffness_number, [100e-6, 144e-6])


def test_sound_gains_leave_nothing_to_say(tmp_path: Path) -> None:
    assert findings(checked(tmp_path)) == ()


def test_unstable_gains_are_named_with_their_joint(tmp_path: Path) -> None:
    """The elbow feels 0.0226 kg m^2: 50 N m s/rad at 1 kHz is Kd dt / M = 2.2 > 2."""
    text = GAINS.replace('p: 21.0, d: 2.2', 'p: 21.0, d: 50.0')
    (finding,) = findings(checked(tmp_path, text, delay_s=0.0))
    assert 'gains.elbow: unstable with 0 ms of delay' in finding
    assert 'Kd dt/M is 2.2' in finding


def test_delay_makes_unstable_what_was_stable(tmp_path: Path) -> None:
    text = GAINS.replace('p: 21.0, d: 2.2', 'p: 21.0, d: 11.0')
    assert checked(tmp_path, text, delay_s=0.0).gain_checks[0].stability.stable
    late = checked(tmp_path, text, delay_s=0.004)
    assert any('gains.elbow: unstable with 4 ms' in finding for finding in findings(late))


def test_a_forgotten_joint_is_named(tmp_path: Path) -> None:
    text = 'gains: {shoulder: {p: 172.0, d: 18.0}}'
    assert any('elbow' in finding for finding in findings(checked(tmp_path, text)))


def test_a_joint_that_gravity_overloads_is_named(tmp_path: Path) -> None:
    found = findings(checked(tmp_path, GAINS + 'effort_limits: {shoulder: 12.0}'))
    assert any("'shoulder': gravity needs up to 11.77" in finding for finding in found)


def test_without_parameters_gains_are_proposed_and_asked_for() -> None:
    check = examined(choose_robot('two_link'), 0.001)
    assert check.proposed
    assert check.gain_checks[0].stability.stable
    assert findings(check) == (
        'gains: none are given; without them the controller cannot be activated',
    )


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run('two_link', parameters(tmp_path), 1.0) == 0
    assert capsys.readouterr().out.endswith('fine\n')
    assert run('two_link', None, 1.0) == 1
    assert capsys.readouterr().out.endswith('1 warning\n')


def test_locked_and_mimic_joints_are_listed() -> None:
    text = report(examined(choose_robot('panda'), 0.001))
    assert 'Locked: panda_finger_joint1 at 0.000' in text


def test_links_without_inertial_are_named(tmp_path: Path) -> None:
    rotor = parameters(tmp_path, GAINS + 'armature: {elbow: 0.1}')
    check = examined(choose_robot(without_forearm_mass(tmp_path), rotor), 0.001)
    assert 'links without inertial: forearm' in report(check)
    assert any("link 'forearm': it has no inertial" in finding for finding in findings(check))


def test_a_joint_that_moves_no_mass_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="'elbow': got links without any mass below it"):
        examined(choose_robot(without_forearm_mass(tmp_path), parameters(tmp_path)), 0.001)


def test_continuous_joints_have_no_position_limits() -> None:
    table = rows(report(examined(choose_robot('kinova'), 0.001)), 'Joints')
    assert table['j2s6s200_joint_4'][:3] == ['continuous', 'none', 'none']


@pytest.mark.parametrize('text', ['gains: {elbow: {p: -3.0}}', 'update_rate: 0', 'joint: [a]'])
def test_bad_parameters_are_refused_with_their_file(tmp_path: Path, text: str) -> None:
    with pytest.raises(ParameterError, match=r'parameters\.yaml: '):
        choose_robot('two_link', parameters(tmp_path, text))


def test_a_fixed_joint_cannot_be_controlled(tmp_path: Path) -> None:
    path = parameters(tmp_path, '')
    path.write_text(path.read_text().replace('elbow', 'tool'), encoding='utf-8')
    with pytest.raises(ModelError, match="joint 'tool': got type fixed"):
        examined(choose_robot('two_link', path), 0.001)


def test_derived_gains_place_both_poles_at_the_bandwidth() -> None:
    """At 1 / pi Hz w is 2: Kp = 4 M, Kd = 4 M, where the smallest inertia allows it."""
    kp, kd = derived_gains(np.array([2.0, 3.0]), np.array([1.0, 2.0]), 0.001, 1.0 / np.pi)
    np.testing.assert_allclose(kp, [8.0, 12.0])
    np.testing.assert_allclose(kd, [8.0, 12.0])


def test_derived_gains_yield_to_the_smallest_inertia() -> None:
    _, kd = derived_gains(np.array([2.0]), np.array([0.004]), 0.001, 3.0)
    np.testing.assert_allclose(kd * 0.001 / 0.004, 0.25)
