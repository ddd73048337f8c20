"""A robot that says that it follows no commands: a fault, and no arming until it does."""
from __future__ import annotations

from pathlib import Path

import numpy as np
from nodes import Robot
from std_msgs.msg import Bool

JOINTS = [f'joint{k}' for k in range(1, 8)]


def test_a_protective_stop_ends_the_motion_and_a_reset_waits_for_its_end(tmp_path: Path) -> None:
    with Robot(tmp_path, controller=('-p', 'robot_mode_topic:=robot_program_running')) as run:
        run.wait_for_event('mode HOLD')
        mode = run.node.create_publisher(Bool, '/robot_program_running', 1)
        run.wait(lambda: mode.get_subscription_count() > 0, 'a subscriber of the robot mode')
        run.send([3.0], [[0.5, 0.3, 0.2, 0.8, 0.1, 0.2, 0.3]], JOINTS)
        run.wait_for_event('mode TRACK')
        run.listen(0.5)
        mode.publish(Bool(data=False))
        assert 'ROBOT_STOPPED' in run.wait_for_event('mode FAULT')
        run.wait(lambda: np.abs(run.v(JOINTS)).max() < 0.01, 'rest')
        done, why = run.call('reset')
        assert not done
        assert 'the robot follows no commands (robot_program_running)' in why
        mode.publish(Bool(data=True))
        run.wait_for_event('the robot follows commands')
        assert run.call('reset')[0]
        run.wait_for_event('mode HOLD')
