from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
import rclpy
from rclpy.context import Context
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock
from simulator_bench import JOINTS, ROBOT, by_name, numbers, stamp_ns, until
from std_srvs.srv import SetBool, Trigger

from id_controller.errors import IdControllerError
from id_controller.ros.simulator_node import Simulator


def test_the_clock_runs_at_its_rate_and_stamps_the_states(bench: Any) -> None:
    one = bench(publish_clock=True, clock_rate=100, state_rate=500)
    times: list[int] = []
    one.peer.create_subscription(
        Clock, '/clock', lambda m: times.append(m.clock.sec * 10**9 + m.clock.nanosec), 50
    )
    one.spin(lambda: len(times) > 20, 'times')
    assert min(times) > 0
    steps = np.diff(times)
    assert (steps > 0).all()
    assert np.median(steps) == 10_000_000
    assert abs(stamp_ns(one.states[-1]) - times[-1]) < 1_000_000_000


def test_pause_stops_time_and_states(bench: Any) -> None:
    one = bench(publish_clock=True)
    one.newest()
    assert one.call(SetBool, 'pause', SetBool.Request(data=True)).message == 'paused'
    paused_ns = one.simulator.plant.time_ns
    until(lambda: one.take_states() == 0, 'no more states on their way')
    for _ in range(3):
        assert one.call(SetBool, 'pause', SetBool.Request(data=True)).success
    assert one.simulator.plant.time_ns == paused_ns
    assert one.take_states() == 0
    assert one.call(SetBool, 'pause', SetBool.Request(data=False)).message == 'running'
    assert stamp_ns(one.newest()) > 0
    until(lambda: one.simulator.plant.time_ns > paused_ns, 'time runs on')


def test_b70_reset_puts_the_joints_back_while_time_runs_on(bench: Any) -> None:
    one = bench(lockstep=True, start_positions=[0.5, 3.0])
    publisher = one.forward_command()
    publisher.publish(numbers(30.0, 30.0))
    one.spin(lambda: one.states and by_name(one.states[-1], 'velocity')['one'], 'motion')
    before_ns = one.simulator.plant.time_ns
    assert one.call(Trigger, 'reset', Trigger.Request()).success
    state = one.spin(
        lambda: next((s for s in one.states if stamp_ns(s) > before_ns), None), 'a later state'
    )
    assert by_name(state, 'position') == {'one': 0.5, 'two': 3.0, 'finger': 0.0}
    assert by_name(state, 'velocity') == {'one': 0.0, 'two': 0.0, 'finger': 0.0}


def test_the_real_time_factor_is_kept_and_reported(bench: Any) -> None:
    one = bench(real_time_factor=0.5)
    begun = time.monotonic()
    begun_ns = one.simulator.plant.time_ns
    until(lambda: one.simulator.plant.time_ns - begun_ns > 300_000_000, '0.3 s')
    assert 0.5 < time.monotonic() - begun < 3.0
    assert 'real-time factor 0.' in one.simulator.report.summary(0)


def test_parameters_are_refused_while_it_runs(bench: Any) -> None:
    one = bench()
    result = one.simulator.node.set_parameters([Parameter('state_rate', value=500)])[0]
    assert not result.successful


@pytest.mark.parametrize(('parameters', 'message'), [
    ({'robot_description': ''}, 'robot_description, robot_description_file: got neither'),
    ({'robot_description': '<robot'}, 'not valid XML'),
    ({'robot_description': '', 'robot_description_file': '/nowhere.urdf'}, '/nowhere.urdf'),
    ({'joints': ['one', 'tow']}, "no movable joint 'tow'; the nearest is two"),
    ({'joints': []}, 'joints: got an empty list'),
    ({'start_positions': [0.0, 0.5]}, 'start_positions: two: got 0.5, expected 1 to 9'),
    ({'state_rate': 'fast'}, "state_rate: got 'fast' (str), expected a whole number"),
    ({'lockstp': True}, 'lockstp: no such parameter; the nearest is lockstep'),
    ({'output.type': 'joint_force', 'output.topic': 'force'}, 'expected {joint} in it'),
    ({'output.type': 'joint_force', 'output.fields': 'impedance'}, 'output.fields: got'),
])
def test_input_that_cannot_be_used_is_refused(parameters: Any, message: str) -> None:
    context = Context()
    rclpy.init(context=context)
    given = {'joints': JOINTS, 'robot_description': ROBOT, **parameters}
    overrides = [
        Parameter(name, Parameter.Type.STRING_ARRAY if value == [] else None, value)
        for name, value in given.items()
    ]
    try:
        with pytest.raises(IdControllerError) as caught:
            Simulator(context, overrides)
        assert message in str(caught.value)
    finally:
        context.try_shutdown()
