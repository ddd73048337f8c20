"""What the recorder hears, and what becomes of it in a phase of the demo."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import rclpy
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from id_controller.command_line.demo_record import at, phase_from_recording, reported_fault
from id_controller.ros.recorder import Recorder, Report, Series

JOINTS = ('a', 'b')
SECOND, MS = 1_000_000_000, 1_000_000


class Stage:
    """Publishers of all topics beside a recorder of them."""

    def __init__(self, context: Any) -> None:
        self.speaker = rclpy.create_node('speaker', context=context)
        self.listener = rclpy.create_node('listener', context=context)
        self.recorder = Recorder(self.listener, '/id_controller', '/effort/commands')
        self.publishers = {
            topic: self.speaker.create_publisher(kind, topic, 50)
            for topic, kind in (
                ('/joint_states', JointState),
                ('/id_controller/reference', JointState),
                ('/id_controller/terms', JointState),
                ('/effort/commands', Float64MultiArray),
                ('/diagnostics', DiagnosticArray),
            )
        }
        self.until(
            lambda: all(p.get_subscription_count() for p in self.publishers.values())
        )

    def until(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + 10.0
        while not condition():
            assert time.monotonic() < end
            self.recorder.poll()
            time.sleep(0.005)

    def states(self, topic: str, stamp_ns: int, **fields: Any) -> None:
        message = JointState(**fields)
        message.header.stamp.sec, message.header.stamp.nanosec = divmod(stamp_ns, SECOND)
        self.publishers[topic].publish(message)


@pytest.fixture
def stage(context: Any) -> Iterator[Stage]:
    stage = Stage(context)
    yield stage
    stage.speaker.destroy_node()
    stage.listener.destroy_node()


def test_joints_are_taken_by_name_in_whatever_order_they_come(stage: Stage) -> None:
    stage.states('/joint_states', 5 * SECOND, name=['b', 'x', 'a'], position=[2.0, 9.0, 1.0])
    stage.states('/joint_states', 6 * SECOND, name=['a', 'b'], position=[3.0, 4.0])
    stage.states('/joint_states', 7 * SECOND, name=['gripper'], position=[0.5])
    stage.states('/joint_states', 8 * SECOND, name=['a', 'b'], velocity=[1.0, 1.0])
    stage.states('/joint_states', 9 * SECOND, name=['a', 'b'], position=[5.0, 6.0])
    stage.until(lambda: len(stage.recorder.positions(JOINTS).stamps) == 3)
    series = stage.recorder.positions(JOINTS)
    np.testing.assert_array_equal(series.stamps, [5 * SECOND, 6 * SECOND, 9 * SECOND])
    np.testing.assert_array_equal(series.values, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def test_commands_are_stamped_when_they_were_sent(stage: Stage) -> None:
    before = time.time_ns()
    stage.publishers['/effort/commands'].publish(Float64MultiArray(data=[1.5, -2.5]))
    stage.until(lambda: stage.recorder.commands_heard == 1)
    series = stage.recorder.commands(2)
    np.testing.assert_array_equal(series.values, [[1.5, -2.5]])
    assert before <= series.stamps[0] <= time.time_ns()


def play(stage: Stage, start: int) -> None:
    """Positions (k, -2 k) every 10 ms, and three references near them between the positions."""
    for k in range(5):
        stage.states(
            '/joint_states', start + 10 * k * MS, name=['b', 'a'], position=[-2.0 * k, 1.0 * k]
        )
    for at_ms, k in ((5, 0.5), (12, 1.25), (35, 3.5)):
        at_ns = start + at_ms * MS
        stage.states(
            '/id_controller/reference', at_ns, name=list(JOINTS),
            position=[k, -2.0 * k + 0.001], effort=[7.0 + k, 8.0],
        )
        stage.states(
            '/id_controller/terms', at_ns,
            name=['a/pull', 'b/pull', 'a/push', 'b/push'], effort=[k, 1.0, 7.0, 7.0],
        )
    for tau in ([1.0, -9.0], [-3.0, 2.0]):
        stage.publishers['/effort/commands'].publish(Float64MultiArray(data=tau))
    stage.until(lambda: stage.recorder.commands_heard == 2)
    stage.until(lambda: len(stage.recorder.reference(JOINTS, 'position').stamps) == 3)
    stage.until(lambda: len(stage.recorder.positions(JOINTS).stamps) == 5)


def test_a_phase_compares_reference_and_position_at_the_same_instant(stage: Stage) -> None:
    start = time.time_ns()
    play(stage, start)
    phase = phase_from_recording(
        stage.recorder, JOINTS, 'feedforward', (start, start + 10 * SECOND)
    )
    np.testing.assert_allclose(phase.times, [0.005, 0.012, 0.035])
    np.testing.assert_allclose(phase.q, [[0.5, -1.0], [1.2, -2.4], [3.5, -7.0]], atol=1e-9)
    np.testing.assert_allclose(phase.q_ref[:, 0], [0.5, 1.25, 3.5])
    np.testing.assert_allclose(phase.tau[0], [7.5, 8.0])
    np.testing.assert_allclose(phase.terms['pull'][2], [3.5, 1.0])
    np.testing.assert_allclose(phase.terms['push'][2], [7.0, 7.0])
    np.testing.assert_allclose(phase.peak_tau, [3.0, 9.0])
    assert len(phase.periods_ms) == 1


def test_a_phase_without_any_message_is_empty(stage: Stage) -> None:
    phase = phase_from_recording(stage.recorder, JOINTS, 'feedforward', (0, SECOND))
    assert phase.times.shape == (0,)
    assert phase.q.shape == (0, 2)
    assert np.isnan(phase.controller.achieved_rate_hz)


def test_reports_are_read_from_diagnostics(stage: Stage) -> None:
    values = [KeyValue(key='achieved_rate_hz', value='998.5'), KeyValue(key='mode', value='HOLD')]
    status = DiagnosticStatus(name='id_controller: timing', values=values)
    stage.publishers['/diagnostics'].publish(DiagnosticArray(status=[status]))
    stage.until(stage.recorder.reports)
    (report,) = stage.recorder.reports()
    assert report.name == 'id_controller: timing'
    assert report.values == {'achieved_rate_hz': '998.5', 'mode': 'HOLD'}


def test_interpolation_keeps_nanoseconds_since_the_epoch_apart() -> None:
    epoch = 1_796_000_000_000_000_000
    series = Series(stamps=np.array([epoch + 200, epoch]), values=np.array([[2.0], [0.0]]))
    np.testing.assert_allclose(at(np.array([epoch + 50, epoch + 150]), series), [[0.5], [1.5]])


def test_what_the_controller_waits_for_is_no_fault() -> None:
    def report(mode: str, fault: str) -> Report:
        return Report(
            sent_ns=0, name='id_controller: timing', values={'mode': mode, 'fault': fault}
        )

    assert reported_fault([report('WAITING', 'STATE_INCOMPLETE'), report('HOLD', 'NONE')]) == ''
    assert reported_fault([report('FAULT', 'OVER_SPEED')]) == 'OVER_SPEED'
