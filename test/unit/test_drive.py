from __future__ import annotations

import numpy as np
import pytest

from id_controller.errors import SimulationError
from id_controller.simulation.drive import Drive, Phase
from id_controller.simulation.plant import Plant

MS = 1_000_000
ROBOT = """
<robot name="r">
  <link name="base"/>
  <link name="slide"><inertial><mass value="2"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="along" type="prismatic"><parent link="base"/><child link="slide"/>
    <axis xyz="1 0 0"/><limit lower="-9" upper="9" velocity="2" effort="100"/></joint>
</robot>"""


def drive(on_loss: str = 'damping', brakes: bool = True) -> Drive:
    return Drive(Plant(ROBOT), 4, timeout_s=0.1, on_loss=on_loss, brakes=brakes)


def speed(one: Drive) -> float:
    return float(one.plant.v[0])


def test_b90_commands_that_stop_are_lost_after_the_time_out_and_may_return() -> None:
    one = drive()
    assert one.phase is Phase.IDLE
    assert one.watch(10**12) is False, 'nothing to lose before the first command'
    assert one.command(1000 * MS, np.array([4.0])) is True
    assert one.command(1001 * MS, np.array([4.0])) is False
    assert one.watch(1101 * MS) is False
    assert one.watch(1101 * MS + 1) is True
    assert one.watch(1200 * MS) is False, 'told once'
    assert (one.phase, one.losses, one.commands) == (Phase.LOST, 1, 2)
    assert one.command(1300 * MS, np.array([4.0])) is True
    assert one.phase is Phase.DRIVEN


def test_a_command_acts_for_the_whole_period_and_for_those_that_were_missed() -> None:
    one = drive()
    one.command(0, np.array([4.0]))
    one.advance()
    assert speed(one) == pytest.approx(0.002)
    one.advance(3)
    assert speed(one) == pytest.approx(0.008)
    assert one.plant.time_ns == 4 * MS


@pytest.mark.parametrize(('on_loss', 'expected'), [
    # From 1 m/s with 2 kg, in 40 ms: 50 N s/m of damping, nothing, brakes, or 4 N on and on.
    ('damping', np.exp(-50.0 / 2.0 * 0.04)), ('zero', 1.0), ('brakes', 0.0), ('hold_last', 1.08),
])
def test_b90_each_fallback_does_what_it_says(on_loss: str, expected: float) -> None:
    one = drive(on_loss)
    one.command(0, np.array([4.0]))
    one.advance(500)
    assert speed(one) == pytest.approx(1.0)
    assert one.watch(101 * MS)
    one.advance(40)
    assert speed(one) == pytest.approx(expected, abs=5e-3)


def test_brakes_hold_before_the_first_command_unless_they_are_off() -> None:
    held, loose = drive(), drive('zero', brakes=False)
    for one in (held, loose):
        one.command(0, np.array([4.0]))
        one.advance()
        one.phase = Phase.IDLE
        one.advance()
    assert speed(held) == 0.0
    assert speed(loose) == pytest.approx(0.002)


def test_restart_brakes_at_the_pose_until_the_next_command() -> None:
    one = drive()
    one.command(0, np.array([4.0]))
    one.advance(10)
    one.restart(np.array([0.5]))
    one.advance(10)
    assert (one.phase, one.plant.q[0], speed(one)) == (Phase.IDLE, 0.5, 0.0)
    assert one.plant.time_ns == 20 * MS


def test_an_unknown_fallback_is_refused() -> None:
    with pytest.raises(SimulationError, match="on_command_loss: got 'float', expected one of"):
        drive('float')
