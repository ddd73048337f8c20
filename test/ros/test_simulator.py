from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from simulator_bench import JOINTS, ROBOT, by_name, numbers, stamp_ns, until
from std_msgs.msg import Float64, Float64MultiArray

from id_controller.simulation.drive import Phase
from id_controller.simulation.plant import Plant
from id_controller.simulation.settings import PlantSettings


def test_it_stands_inside_its_limits_with_brakes_on_and_says_where(bench: Any) -> None:
    state = bench(gravity=[3.0, -2.0, 0.0]).newest()
    assert by_name(state, 'position') == {'one': 0.0, 'two': 5.0, 'finger': 0.0}
    assert by_name(state, 'velocity') == {'one': 0.0, 'two': 0.0, 'finger': 0.0}
    assert abs(stamp_ns(state) - time.time_ns()) < 5e9


def test_b30_a_shuffled_state_keeps_names_and_numbers_together(bench: Any) -> None:
    one = bench(shuffle=True, start_positions=[0.25, 2.5], seed=1)
    one.spin(lambda: len({tuple(state.name) for state in one.states}) > 3, 'many orders')
    for state in one.states:
        assert by_name(state, 'position') == {'one': 0.25, 'two': 2.5, 'finger': 0.0}


@pytest.mark.parametrize(
    'reliability', [ReliabilityPolicy.RELIABLE, ReliabilityPolicy.BEST_EFFORT]
)
def test_b97_states_reach_subscribers_of_either_kind(bench: Any, reliability: Any) -> None:
    one = bench()
    seen: list[Any] = []
    qos = QoSProfile(depth=1, reliability=reliability)
    one.peer.create_subscription(JointState, 'joint_states', seen.append, qos)
    one.spin(lambda: seen, 'a state')


def send_forward(peer: Any) -> tuple[list[Any], Callable[[], None]]:
    publisher = peer.create_publisher(Float64MultiArray, 'effort_controller/commands', 1)
    return [publisher], lambda: publisher.publish(numbers(7.0, -3.0))


def send_forces(peer: Any) -> tuple[list[Any], Callable[[], None]]:
    pairs = [
        (peer.create_publisher(Float64, f'gz/{name}/force', 1), Float64(data=effort))
        for name, effort in (('one', 7.0), ('two', -3.0))
    ]
    return [pair[0] for pair in pairs], lambda: [p.publish(m) for p, m in pairs] and None


def send_states(peer: Any) -> tuple[list[Any], Callable[[], None]]:
    publisher = peer.create_publisher(JointState, 'effort_controller/commands', 1)
    message = JointState(
        name=['two', 'wheel', 'one'], effort=array('d', [-3.0, math.nan, 7.0])
    )
    return [publisher], lambda: publisher.publish(message)


def send_impedance(peer: Any) -> tuple[list[Any], Callable[[], None]]:
    """A drive's PD at rest at (0, 5): 6 + 10 (0.1 - 0), 4 + 70 (4.9 - 5)."""
    publisher = peer.create_publisher(Float64MultiArray, 'effort_controller/commands', 1)
    message = numbers(0.1, 4.9, 0.0, 0.0, 10.0, 70.0, 0.0, 0.0, 6.0, 4.0)
    return [publisher], lambda: publisher.publish(message)


@pytest.mark.parametrize(('send', 'parameters'), [
    (send_forward, {}),
    (send_forces, {'output.type': 'joint_force', 'output.topic': 'gz/{joint}/force'}),
    (send_states, {'output.type': 'joint_state'}),
    (send_impedance, {'output.fields': 'impedance'}),
])
def test_each_output_type_moves_the_joints_it_names(
    bench: Any, send: Any, parameters: dict[str, str]
) -> None:
    one = bench(lockstep=True, **parameters)
    publishers, publish = send(one.peer)
    for publisher in publishers:
        one.matched(publisher)
    publish()

    def moved() -> Any:
        return next((s for s in one.states if by_name(s, 'effort')['one'] != 0.0), None)

    state = one.spin(moved, 'an effort')
    assert by_name(state, 'effort') == pytest.approx({'one': 7.0, 'two': -3.0, 'finger': 0.0})
    speeds = {'one': 7.0 / 2.0 * 0.001, 'two': -3.0 / 5.0 * 0.001, 'finger': 0.0}
    assert by_name(state, 'velocity') == pytest.approx(speeds)


def test_lockstep_moves_one_period_for_each_command_and_as_the_plant_alone(bench: Any) -> None:
    one = bench(lockstep=True, gravity=[1.0, 0.5, 0.0])
    publisher = one.forward_command()
    alone = Plant(ROBOT, PlantSettings(joints=tuple(JOINTS), gravity=(1.0, 0.5, 0.0)))
    efforts = [(5.0 * math.sin(0.3 * k), 8.0 * math.cos(0.2 * k)) for k in range(30)]
    publisher.publish(numbers(*efforts[0]))
    first = one.spin(
        lambda: next((s for s in one.states if by_name(s, 'velocity')['one']), None), 'a step'
    )
    for k, tau in enumerate(efforts):
        if k:
            publisher.publish(numbers(*tau))
        due = stamp_ns(first) + k * 1_000_000
        state = one.spin(
            lambda: next((s for s in one.states if stamp_ns(s) == due), None),  # noqa: B023
            f'state {k}',
        )
        alone.step(np.array(tau), 4)
        q = by_name(state, 'position')
        assert [q['one'], q['two']] == alone.q.tolist()
    assert stamp_ns(one.states[-1]) == due, 'no step without a command'


def test_lockstep_sends_the_same_state_again_while_it_waits(bench: Any) -> None:
    one = bench(lockstep=True, lockstep_timeout=0.05, command_timeout=10.0)
    one.forward_command().publish(numbers(3.0, 1.0))
    one.spin(lambda: one.states and by_name(one.states[-1], 'velocity')['one'], 'a step')
    last = one.states[-1]
    count = len(one.states)
    one.spin(lambda: len(one.states) >= count + 3, 'the state again')
    assert all(state == last for state in one.states[count:])
    assert one.simulator.report.resent >= 3


def test_b90_lost_commands_bring_the_fallback_and_may_return(bench: Any) -> None:
    one = bench(command_timeout=0.1, on_command_loss='brakes')
    statuses: list[Any] = []
    one.peer.create_subscription(
        DiagnosticArray, '/diagnostics', lambda m: statuses.extend(m.status), 10
    )
    publisher = one.forward_command()

    def driven() -> bool:
        publisher.publish(numbers(2.0, 1.0))
        return bool(by_name(one.states[-1], 'velocity')['one']) if one.states else False

    one.spin(driven, 'motion')
    one.spin(lambda: by_name(one.states[-1], 'velocity')['one'] == 0.0, 'brakes')
    assert one.simulator.drive.phase is Phase.LOST
    one.spin(lambda: any(s.level == b'\x01' and s.message == 'commands lost' for s in statuses),
             'a warning in the diagnostics')
    one.spin(driven, 'motion again')
    assert one.simulator.drive.losses == 1


def test_commands_that_cannot_be_used_are_counted_and_move_nothing(bench: Any) -> None:
    one = bench()
    publisher = one.forward_command()
    for bad in (numbers(1.0), numbers(1.0, math.nan), numbers(math.inf, 1.0), numbers(1, 2, 3)):
        publisher.publish(bad)
        before = one.simulator._commands.rejected
        until(lambda: one.simulator._commands.rejected > before, 'a rejection')  # noqa: B023
    assert one.simulator._commands.refusal == 'got 3 numbers, expected 2 (effort of each joint)'
    assert one.simulator.drive.phase is Phase.IDLE
    assert by_name(one.newest(), 'velocity')['one'] == 0.0
