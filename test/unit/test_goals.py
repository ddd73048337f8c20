"""How goals end: each reason by name, on a controller in virtual time."""
from __future__ import annotations

import math

import numpy as np
import pytest
from control_rig import MS, pair
from goal_rig import Goalkeeper

from id_controller.control.faults import Fault
from id_controller.control.goal import Code, Outcome, refused
from id_controller.errors import JointNamesError, OldStampError, TrajectoryError
from id_controller.state import Mode, Request


def test_a_goal_that_is_reached_succeeds() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.2])
    keeper.run(480)
    assert keeper.ends[number] == []
    keeper.run(60)
    assert keeper.end(number) == (Outcome.SUCCEEDED, Code.SUCCESSFUL, 'goal reached')


def test_b26_path_tolerance() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.2])
    keeper.run(200)
    keeper.offset = pair(0.0, -0.16)
    keeper.run(40)
    end = keeper.end(number)
    assert (end.outcome, end.code) == (Outcome.ABORTED, Code.PATH_TOLERANCE_VIOLATED)
    assert "joint 'elbow', position: got an error of 0.16" in end.text
    assert end.text.endswith('expected at most 0.15')


def test_b26_path_velocity_tolerance() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.2], path_velocity=pair(0.05, math.inf))
    keeper.session.v = pair(0.2, 0.0)
    keeper.follows = False
    keeper.run(40)
    assert "joint 'shoulder', velocity" in keeper.end(number).text


def test_b21_b26_goal_tolerance_ends_after_goal_time() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.2])
    keeper.offset = pair(0.025, 0.0)
    keeper.run(960)
    assert keeper.ends[number] == []
    keeper.run(80)
    end = keeper.end(number)
    assert (end.outcome, end.code) == (Outcome.ABORTED, Code.GOAL_TOLERANCE_VIOLATED)
    assert "joint 'shoulder', position: got an error of -0.025, expected at most 0.02" in end.text
    assert '0.5 s after the end (goal_time)' in end.text


def test_b21_without_goal_time_there_is_still_a_timeout() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.2], goal_time_s=math.inf)
    keeper.offset = pair(0.0, 0.031)
    keeper.run(2400)
    assert keeper.ends[number] == []
    keeper.run(200)
    end = keeper.end(number)
    assert end.code == Code.GOAL_TOLERANCE_VIOLATED
    assert 'constraints.goal_timeout' in end.text


def test_a_goal_that_settles_late_within_goal_time_succeeds() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.2])
    keeper.offset = pair(0.025, 0.0)
    keeper.run(800)
    keeper.offset = pair(0.015, 0.0)
    keeper.run(60)
    assert keeper.end(number).outcome is Outcome.SUCCEEDED


def test_a_goal_that_rushes_through_has_not_arrived() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.2])
    keeper.run(470)
    keeper.follows = False
    keeper.session.q, keeper.session.v = pair(0.5, -0.2), pair(0.2, 0.0)
    keeper.run(700)
    end = keeper.end(number)
    assert end.code == Code.GOAL_TOLERANCE_VIOLATED
    assert "joint 'shoulder', velocity: got an error of 0.2" in end.text


def test_b25_a_joint_that_stalls_in_mid_motion_is_noticed() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.35], seconds=4.0, path=pair(math.inf, math.inf))
    keeper.run(1500)
    keeper.follows = False
    keeper.session.v = pair(0.0, 0.0)
    keeper.run(700)
    end = keeper.end(number)
    assert end.code == Code.PATH_TOLERANCE_VIOLATED
    assert "joint 'shoulder' does not move" in end.text
    assert 'constraints.progress_time' in end.text


def test_b25_the_path_tolerance_notices_too() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.9, -0.35], progress_s=0.0)
    keeper.run(200)
    keeper.follows = False
    keeper.run(200)
    assert keeper.end(number).text.startswith("path tolerance, joint 'shoulder', position")


def test_a_paused_goal_waits_and_then_times_out() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.2])
    keeper.run(200)
    keeper.session.change(speed_scaling=0.0)
    keeper.run(1900)
    assert keeper.ends[number] == []
    keeper.run(1200)
    assert 'the trajectory does not go on, for 2 s' in keeper.end(number).text


@pytest.mark.parametrize(('request_', 'words'), [
    (Request.HOLD, 'the controller is in'), (Request.STOP, 'SOFT_STOP'),
    (Request.DEACTIVATE, 'EXITING'), (Request.EXIT, 'EXITING'),
])
def test_a_goal_that_is_stopped_from_elsewhere_is_aborted(
    request_: Request, words: str
) -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.2])
    keeper.run(200)
    keeper.session.controller.request(request_)
    keeper.run(40)
    end = keeper.end(number)
    assert (end.outcome, end.code) == (Outcome.ABORTED, Code.INVALID_GOAL)
    assert words in end.text


def test_b88_a_cancelled_goal_ends_when_the_reference_rests() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.9, 0.2])
    keeper.run(240)
    assert keeper.goals.cancel(number)
    keeper.session.controller.request(Request.HOLD)
    keeper.run(40)
    assert keeper.ends[number] == []
    found = keeper.run(600)
    assert keeper.end(number).outcome is Outcome.CANCELED
    assert not found[-1].reference.v.any()
    assert found[-1].tau == pytest.approx(keeper.session.gravity)
    assert not keeper.goals.cancel(number)


@pytest.mark.parametrize('fault', [Fault.STATE_STALE, Fault.TRACKING_ERROR])
def test_a_fault_aborts_with_its_name(fault: Fault) -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.2], path=pair(9.0, 9.0))
    keeper.run(200)
    if fault is Fault.STATE_STALE:
        keeper.session.age_ns = 300 * MS
    else:
        keeper.offset = pair(0.5, 0.0)
    keeper.run(20)
    end = keeper.end(number)
    assert end.text.startswith(fault.name)
    assert end.code == (
        Code.PATH_TOLERANCE_VIOLATED if fault is Fault.TRACKING_ERROR else Code.INVALID_GOAL
    )


def test_b12_a_trajectory_on_the_topic_aborts_the_goal() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.2])
    keeper.run(200)
    keeper.send_on_topic([0.1, -0.5])
    assert keeper.end(number).outcome is Outcome.ABORTED
    keeper.run(700)
    keeper.end(number)


def test_b20_fifty_preemptions_have_fifty_ends() -> None:
    keeper = Goalkeeper()
    numbers = []
    for k in range(50):
        numbers.append(keeper.send([0.3 + 0.01 * (k % 7), -0.4 + 0.02 * (k % 5)]))
        keeper.run(17)
    keeper.run(600)
    ends = [keeper.end(number) for number in numbers]
    assert [end.outcome for end in ends] == [Outcome.ABORTED] * 49 + [Outcome.SUCCEEDED]
    assert {end.text for end in ends[:-1]} == {'a newer goal has taken its place'}


def test_b10_a_goal_whose_start_lies_ahead_waits_for_it() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.2], delay_s=3.0)
    assert keeper.run(2900)[-1].mode is Mode.HOLD
    assert keeper.ends[number] == []
    keeper.run(700)
    assert keeper.end(number).outcome is Outcome.SUCCEEDED


def test_a_continuous_joint_may_arrive_a_turn_away() -> None:
    keeper = Goalkeeper()
    number = keeper.send([0.5, -0.2], continuous=(False, True))
    keeper.follows = False
    for _ in range(30):
        reference = keeper.run(20)[-1].reference
        keeper.session.q = reference.q
    assert keeper.end(number).outcome is Outcome.SUCCEEDED
    wrong = np.array([0.0, 2.0 * math.pi])
    assert keeper.session.model.difference(wrong, wrong).tolist() == [0.0, 0.0]


def test_b26_refusals_have_codes() -> None:
    assert refused(TrajectoryError('x')) == (Outcome.ABORTED, Code.INVALID_GOAL, 'x')
    assert refused(JointNamesError('y')).code == Code.INVALID_JOINTS == -2
    assert refused(OldStampError('z')).code == Code.OLD_HEADER_TIMESTAMP == -3
