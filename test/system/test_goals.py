"""Action goals over DDS: every end by its code, and no goal without one."""
from __future__ import annotations

from collections.abc import Iterator

import goal_host
import numpy as np
import pytest
from goal_client import ABORTED, CANCELED, SUCCEEDED, Client, at_rest
from goal_host import JOINTS, POSE, order
from nodes import Robot
from trajectory_msgs.msg import JointTrajectory


@pytest.fixture(scope='module')
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with Robot(tmp_path_factory.mktemp('goals'), host='goal_host') as run:
        run.wait_for_event('mode HOLD')
        yield Client(run)


def test_a_goal_succeeds_with_feedback(client: Client) -> None:
    client.feedback.clear()
    assert client.ended(order(0.8, 2.0)) == (SUCCEEDED, 0, 'goal reached')
    robot = client.robot
    robot.wait(lambda: len(client.feedback) >= 20, 'feedback at 20 Hz for two seconds')
    assert client.feedback == sorted(client.feedback, reverse=True)
    assert robot.q(JOINTS) == pytest.approx(0.8 * np.array(POSE), abs=0.02)


@pytest.mark.parametrize(('number', 'code', 'words'), [
    (goal_host.NAN, -1, "point 0, joint 'joint4', position: got nan"),
    (goal_host.STRANGER, -2, "joint name 6: got unknown 'joint8'"),
    (goal_host.OLD, -3, 'the last point was due'),
    (goal_host.BAD_TOLERANCE, -1, "goal_tolerance, joint 'joint2', position: got -0.5"),
])
def test_b26_a_refused_goal_says_why_and_what_runs_goes_on(
    client: Client, number: int, code: int, words: str
) -> None:
    runs = client.send(order(1.0, 1.0))
    refused = client.ended(number)
    assert (refused.status, refused.code) == (ABORTED, code)
    assert words in refused.text
    assert client.result(runs).status == SUCCEEDED


def test_b12_an_empty_goal_is_rejected(client: Client) -> None:
    assert not client.send(goal_host.EMPTY).accepted


def test_b26_path_tolerance_aborts_and_stops(client: Client) -> None:
    client.ended(order(0.2, 2.0))
    found = client.ended(goal_host.PATH)
    assert (found.status, found.code) == (ABORTED, -4)
    assert "path tolerance, joint 'joint2'" in found.text
    at_rest(client.robot)
    assert abs(client.robot.q(JOINTS)[3] - 0.9) > 0.1


def test_b21_goal_tolerance_aborts_after_goal_time(client: Client) -> None:
    found = client.ended(goal_host.GOAL)
    assert (found.status, found.code) == (ABORTED, -5)
    assert "goal tolerance, joint 'joint2', position" in found.text


def test_b23_a_tolerance_that_is_set_live_counts_for_the_next_goal(client: Client) -> None:
    client.robot.set(**{'constraints.joint2.goal': 1e-9, 'constraints.goal_time': 0.2})
    assert client.ended(order(0.9, 1.0)).code == -5
    client.robot.set(**{'constraints.joint2.goal': 0.05, 'constraints.goal_time': 2.0})
    assert client.ended(order(0.8, 1.0)).code == 0


def test_b88_b94_a_cancelled_goal_stops_and_the_next_one_works(client: Client) -> None:
    client.ended(order(0.0, 2.0))
    handle = client.send(order(1.0, 2.0))
    robot = client.robot
    robot.wait(lambda: abs(robot.v(JOINTS)[3]) > 0.4, 'speed')
    future = handle.cancel_goal_async()
    robot.wait(future.done, 'the answer to a cancel')
    assert len(future.result().goals_canceling) == 1
    assert client.result(handle).status == CANCELED
    at_rest(robot)
    before = robot.q(JOINTS)
    robot.listen(0.5)
    assert robot.q(JOINTS) == pytest.approx(before, abs=2e-3)
    assert client.ended(order(0.5, 2.0)).status == SUCCEEDED


def test_b20_fifty_preemptions_have_fifty_results(client: Client) -> None:
    handles = [client.send(order(0.5 + 0.004 * k, 1.0)) for k in range(51)]
    results = [client.result(handle) for handle in handles]
    assert [result.status for result in results] == [ABORTED] * 50 + [SUCCEEDED]
    assert {result.text for result in results[:-1]} == {'a newer goal has taken its place'}


@pytest.mark.parametrize('points', [0, 1])
def test_b12_the_topic_ends_a_goal(client: Client, points: int) -> None:
    handle = client.send(order(0.2, 2.0))
    client.robot.trajectories.publish(JointTrajectory(
        joint_names=list(JOINTS), points=[goal_host.point(0.6, 1.5)] * points
    ))
    found = client.result(handle)
    assert found.status == ABORTED
    assert ('~/joint_trajectory' if points else 'the motion was ended') in found.text
    at_rest(client.robot)


@pytest.mark.parametrize(('service', 'word'), [('hold', 'HOLD'), ('stop', 'SOFT_STOP')])
def test_a_service_ends_a_goal(client: Client, service: str, word: str) -> None:
    handle = client.send(order(1.0, 2.0))
    client.robot.wait(lambda: abs(client.robot.v(JOINTS)[3]) > 0.1, 'speed')
    assert client.robot.call(service)[0]
    found = client.result(handle)
    assert found.status == ABORTED
    at_rest(client.robot)
    assert client.robot.call('reset')[0]
    assert client.ended(order(0.5, 2.0)).status == SUCCEEDED
    assert word in found.text or 'TRACK' in found.text


def test_a_deactivation_ends_a_goal(client: Client) -> None:
    handle = client.send(order(1.0, 2.0))
    assert client.robot.change('deactivate')
    assert client.result(handle).status == ABORTED
    idle = client.ended(order(0.5, 2.0))
    assert (idle.status, idle.code) == (ABORTED, -1)
    assert 'expected HOLD or TRACK' in idle.text
    assert client.robot.change('activate')
    client.robot.wait_for_event('mode HOLD')
