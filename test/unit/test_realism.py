from __future__ import annotations

import numpy as np
import pytest

from id_controller.errors import SimulationError
from id_controller.parameters.groups import Payload
from id_controller.simulation.plant import Plant
from id_controller.simulation.realism import CommandDelay, Realism, VelocityNoise, mass_factors
from id_controller.simulation.settings import PlantSettings

G = 9.81
LIMIT = '<limit lower="-9" upper="9" velocity="20" effort="500"/>'
ROBOT = f"""
<robot name="r">
  <link name="base"/>
  <link name="slide"><inertial><mass value="2"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="arm"><inertial><origin xyz="0.3 0 0"/><mass value="4"/>
    <inertia ixx="0.05" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tip"/>
  <joint name="along" type="prismatic"><parent link="base"/><child link="slide"/>
    <axis xyz="1 0 0"/>{LIMIT}<dynamics damping="3" friction="0.5"/></joint>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/>
    <axis xyz="0 -1 0"/>{LIMIT}</joint>
  <joint name="end" type="fixed"><parent link="arm"/><child link="tip"/>
    <origin xyz="0.5 0 0"/></joint>
</robot>"""
ZERO = np.zeros(2)


def plant(**realism: object) -> Plant:
    return Plant(ROBOT, PlantSettings(realism=Realism(**realism)))  # type: ignore[arg-type]


def weight(one: Plant) -> float:
    return float(one.inverse_dynamics(ZERO, ZERO, ZERO)[1])


def test_armature_adds_to_the_inertia_of_its_joint_only() -> None:
    before = plant().mass_matrix(ZERO)
    after = plant(armature={'hinge': 0.7}).mass_matrix(ZERO)
    assert after - before == pytest.approx(np.diag([0.0, 0.7]), abs=1e-12)


def test_friction_of_the_urdf_acts_unless_replaced() -> None:
    push = np.array([4.5, 4.0 * G * 0.3])
    urdf, other = plant(), plant(viscous={'along': 8.0}, coulomb={'along': 1.5})
    for one in (urdf, other):
        one.step(push, 4000)
    # 1 s of 2 kg under a force against friction: v = F / d (1 - exp(-d t / m)).
    assert urdf.v[0] == pytest.approx(4.0 / 3.0 * (1.0 - np.exp(-1.5)), rel=1e-3)
    assert other.v[0] == pytest.approx(3.0 / 8.0 * (1.0 - np.exp(-4.0)), rel=1e-3)


def test_coulomb_friction_holds_against_less() -> None:
    one = plant(viscous={'along': 0.0}, coulomb={'along': 1.5})
    one.step(np.array([1.4, 0.0]), 4000)
    assert abs(one.q[0]) < 0.01
    one.step(np.array([1.6, 0.0]), 4000)
    assert one.v[0] == pytest.approx(0.1 / 2.0, rel=0.1)


def test_friction_is_no_part_of_the_inverse_dynamics() -> None:
    v = np.array([2.0, 0.0])
    assert plant().inverse_dynamics(ZERO, v, ZERO)[0] == pytest.approx(0.0, abs=1e-12)


def test_mass_scale_scales_weight_and_inertia() -> None:
    assert weight(plant(mass_scale=0.8)) == pytest.approx(0.8 * 4.0 * G * 0.3)
    ratio = plant(mass_scale=0.8).mass_matrix(ZERO)[1, 1] / plant().mass_matrix(ZERO)[1, 1]
    assert ratio == pytest.approx(0.8)


def test_mass_errors_are_drawn_for_each_link_from_the_seed() -> None:
    links = [f'link{i}' for i in range(200)]
    first = mass_factors(Realism(mass_error=0.2, mass_scale=0.5, seed=3), links)
    again = mass_factors(Realism(mass_error=0.2, mass_scale=0.5, seed=3), links)
    other = mass_factors(Realism(mass_error=0.2, mass_scale=0.5, seed=4), links)
    assert first == again != other
    assert len(set(first.values())) == 200
    assert 0.4 <= min(first.values()) < 0.42
    assert 0.58 < max(first.values()) <= 0.6


def test_mass_errors_reach_the_plant() -> None:
    realism = Realism(mass_error=0.2, seed=5)
    factor = mass_factors(realism, ['base', 'slide', 'arm', 'tip'])['arm']
    assert factor != 1.0
    assert weight(plant(mass_error=0.2, seed=5)) == pytest.approx(factor * 4.0 * G * 0.3)


def test_payloads_hang_on_their_frames() -> None:
    known = Payload(frame='tip', mass=1.5, com=(0.1, 0.0, 0.0))
    inertia = (0.1, 0.0, 0.0, 0.15, 0.0, 0.1)
    unknown = Payload(frame='arm', mass=0.5, com=(0.2, 0.0, 0.0), inertia=inertia)
    one = plant(payloads=(known, unknown))
    assert weight(one) == pytest.approx(G * (4.0 * 0.3 + 1.5 * 0.6 + 0.5 * 0.2), abs=1e-10)
    added = one.mass_matrix(ZERO)[1, 1] - plant().mass_matrix(ZERO)[1, 1]
    assert added == pytest.approx(1.5 * 0.6**2 + 0.5 * 0.2**2 + 0.15, abs=1e-10)


def test_a_payload_without_a_place_is_refused() -> None:
    with pytest.raises(SimulationError, match="got 'tpi', expected a link of the robot: base"):
        plant(payloads=(Payload(frame='tpi', mass=1.0),))


def test_a_delayed_command_acts_after_its_delay() -> None:
    one = plant(command_delay_s=0.003, viscous={'along': 0.0}, coulomb={'along': 0.0})
    speeds = []
    for k in range(6):
        one.step(np.array([2.0 * (k + 1), 0.0]), 4)
        speeds.append(one.v[0])
    assert speeds[:3] == [0.0, 0.0, 0.0]
    assert np.diff(speeds[2:]) == pytest.approx([0.001, 0.002, 0.003], rel=1e-6)


def test_what_is_on_its_way_is_lost_at_a_reset() -> None:
    delay = CommandDelay(0.001, 2)
    delay.put(0, np.array([1.0, 2.0]))
    assert delay.at(999_999).tolist() == [0.0, 0.0]
    assert delay.at(1_000_000).tolist() == [1.0, 2.0]
    delay.put(1_000_000, np.array([3.0, 4.0]))
    delay.clear()
    assert delay.at(5_000_000).tolist() == [0.0, 0.0]


def test_velocity_noise_has_its_deviation_and_can_be_repeated() -> None:
    realism = Realism(velocity_noise=0.02, seed=7)
    noise, again = VelocityNoise(realism), VelocityNoise(realism)
    v = np.array([1.0, -2.0])
    drawn = np.array([noise.measured(v) for _ in range(4000)])
    assert drawn.mean(axis=0) == pytest.approx(v, abs=0.002)
    assert drawn.std(axis=0) == pytest.approx([0.02, 0.02], rel=0.05)
    assert (np.array([again.measured(v) for _ in range(4000)]) == drawn).all()


def test_noise_is_in_what_is_measured_and_not_in_the_motion() -> None:
    noisy, exact = plant(velocity_noise=0.5), plant()
    for one in (noisy, exact):
        one.step(np.array([1.0, 2.0]), 40)
    assert (noisy.v == exact.v).all()
    assert (noisy.measure()[1] != exact.measure()[1]).all()
    assert (exact.measure()[1] == exact.v).all()
