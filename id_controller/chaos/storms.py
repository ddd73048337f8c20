"""What a storm sends to the host: parameters, trajectories and calls, good and bad."""
from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from rclpy.parameter import Parameter
from rclpy.serialization import serialize_message
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from id_controller.chaos.rig import Rig

_HEADER = 8
_FUTURE_S = 0.2


def good_parameters(rig: Rig, draw: random.Random) -> None:
    """Set what a person may set; limits are only ever lowered."""
    joint = draw.randrange(len(rig.target.joints))
    name, bounds = rig.target.joints[joint], rig.target.bounds
    rig.set([
        Parameter(f'gains.{name}.d', value=draw.uniform(0.2, 30.0)),
        Parameter(f'effort_limits.{name}', value=_less(draw, bounds.effort[joint])),
        Parameter(f'max_effort_rate.{name}', value=_less(draw, bounds.rate[joint])),
        Parameter('payload.mass', value=draw.uniform(0.0, 0.5)),
        Parameter('speed_scaling', value=draw.random()),
        Parameter('on_fault', value=draw.choice(['hold', 'gravity', 'damping'])),
        Parameter('velocity_filter.cutoff', value=draw.choice([0.0, 100.0])),
        Parameter('control_mode', value=draw.choice(
            ['feedforward', 'gravity_pd', 'gravity', 'computed_torque']
        )),
    ])


def _less(draw: random.Random, value: float) -> float:
    return draw.uniform(0.5, 1.0) * float(value)


def first_parameters(rig: Rig) -> None:
    """Put back what ``good_parameters`` changes."""
    bounds, given = rig.target.bounds, rig.target.first
    rig.set([
        *(Parameter(f'gains.{joint}.d', value=float(given[f'gains.{joint}.d']))
          for joint in rig.target.joints),
        *(Parameter(f'effort_limits.{joint}', value=float(limit))
          for joint, limit in zip(rig.target.joints, bounds.effort)),
        *(Parameter(f'max_effort_rate.{joint}', value=float(rate))
          for joint, rate in zip(rig.target.joints, bounds.rate)),
        Parameter('payload.mass', value=0.0), Parameter('speed_scaling', value=1.0),
        Parameter('on_fault', value='hold'), Parameter('velocity_filter.cutoff', value=0.0),
        Parameter('control_mode', value='feedforward'),
    ])


def _bad_parameters(rig: Rig, draw: random.Random) -> None:
    joint = draw.choice(rig.target.joints)
    rig.set([draw.choice([
        Parameter(f'gains.{joint}.p', value=-1.0), Parameter(f'gains.{joint}.p', value=1e300),
        Parameter(f'gains.{joint}.p', value=float('nan')), Parameter('gains.elbow.p', value=1.0),
        Parameter(f'effort_limits.{joint}', value=float('nan')),
        Parameter(f'max_effort_rate.{joint}', value=-5.0),
        Parameter('control_mode', value='pid'), Parameter('gravity', value=[0.0, 1.0]),
        Parameter('joints', value=['a']), Parameter('speed_scaling', value=2.0),
        Parameter('payload.mass', value=-3.0), Parameter('on_exit', value=3),
        Parameter('payload.frame', value='nowhere'),
    ])])


def _trajectory(rig: Rig, draw: random.Random) -> None:
    rig.send(
        rig.target.somewhere(draw), draw.uniform(0.8, 3.0),
        in_s=draw.choice([0.0, 0.0, draw.uniform(0.0, _FUTURE_S)]),
    )


def _bad_trajectory(rig: Rig, draw: random.Random) -> None:
    joints, positions = list(rig.target.joints), rig.target.start.tolist()
    point = JointTrajectoryPoint(positions=positions)
    message: Any = JointTrajectory(joint_names=joints, points=[point])
    kind, joint = draw.randrange(7), draw.randrange(len(joints))
    if kind == 0:
        point.positions[joint] = float('nan')
    elif kind == 1:
        message.joint_names[joint] = 'elbow'
    elif kind == 2:
        point.velocities = [1.0] * (len(joints) + 1)
    elif kind == 3:
        point.positions[joint] = 50.0
    elif kind == 4:
        message.points = []
    elif kind == 5:
        message.header.stamp.sec = draw.choice([1, 2**31 - 1])
    content = bytes(serialize_message(message))
    if kind == 6:
        content = content[:_HEADER] + draw.randbytes(len(content) - _HEADER)
    rig.trajectories.publish(content)


def _service(rig: Rig, draw: random.Random) -> None:
    rig.call(draw.choice(['stop', 'reset', 'hold', 'reset']))


STORMS: dict[str, Callable[[Rig, random.Random], None]] = {
    'parameters': good_parameters, 'bad_parameters': _bad_parameters,
    'trajectories': _trajectory, 'bad_trajectories': _bad_trajectory, 'services': _service,
}
"""What is done again and again in each."""
