"""The injections themselves."""
from __future__ import annotations

import contextlib
import random
import signal
import time
from typing import Any

import numpy as np
from lifecycle_msgs.msg import Transition
from rclpy.parameter import Parameter
from rclpy.serialization import serialize_message
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from id_controller.chaos.rig import JOINTS, RAMP_S, START, Rig
from id_controller.chaos.schedule import STATES, Injection
from id_controller.errors import SimulationError

_STORM_HZ = 50
_ENDING_S = RAMP_S + 2.0
_SIGNALS = {'kill': signal.SIGKILL, 'interrupt': signal.SIGINT, 'terminate': signal.SIGTERM}


def inject(rig: Rig, one: Injection) -> int:
    """
    Do what an injection says, and undo what does not undo itself.

    :returns: System time at which zero must have been sent last; 0: at none.
    """
    draw = random.Random(one.seed)
    verb, _, whom = one.kind.partition('_')
    whom = 'controller' if whom == 'host' else whom
    if one.kind in STATES:
        rig.mangle(one.kind, one.seed)
        rig.spin(one.seconds)
        rig.mangle('pass')
    elif verb == 'stop':
        _stop(rig, whom, one.seconds)
    elif verb in _SIGNALS:
        return _end(rig, whom, _SIGNALS[verb])
    elif one.kind == 'deactivate':
        rig.change(Transition.TRANSITION_DEACTIVATE, _ENDING_S)
        ended_ns = time.time_ns()
        rig.spin(one.seconds)
        rig.change(Transition.TRANSITION_ACTIVATE, _ENDING_S)
        return ended_ns
    else:
        _storm(rig, one, draw)
    return 0


def _stop(rig: Rig, whom: str, seconds: float) -> None:
    """Freeze a process for a time; the host may have killed it meanwhile."""
    with contextlib.suppress(SimulationError, ProcessLookupError):
        rig.signal(whom, signal.SIGSTOP)
    rig.spin(seconds)
    with contextlib.suppress(SimulationError, ProcessLookupError):
        rig.signal(whom, signal.SIGCONT)


def _end(rig: Rig, whom: str, number: signal.Signals) -> int:
    """End a process, and wait for the last command where that is the host."""
    with contextlib.suppress(SimulationError, ProcessLookupError):
        rig.signal(whom, number)
    if whom != 'controller':
        rig.spin(0.3)
        return 0
    rig.spin(_ENDING_S, lambda: rig.ended('controller'))
    rig.spin(_ENDING_S - 1.0)  # the control process leaves by itself
    return time.time_ns()


def _storm(rig: Rig, one: Injection, draw: random.Random) -> None:
    act = {
        'parameters': _parameters, 'bad_parameters': _bad_parameters,
        'trajectories': _trajectory, 'bad_trajectories': _bad_trajectory, 'services': _service,
    }[one.kind]
    end = time.monotonic() + one.seconds
    while time.monotonic() < end:
        act(rig, draw)
        rig.spin(1.0 / _STORM_HZ)
    if one.kind == 'parameters':
        _parameters(rig, random.Random(0), speed=1.0)


def _parameters(rig: Rig, draw: random.Random, speed: float | None = None) -> None:
    joint = draw.choice(JOINTS)
    rig.set([
        Parameter(f'gains.{joint}.d', value=draw.uniform(10.0, 30.0)),
        Parameter('speed_scaling', value=draw.random() if speed is None else speed),
        Parameter('on_fault', value=draw.choice(['hold', 'gravity', 'damping'])),
        Parameter('velocity_filter.cutoff', value=draw.choice([0.0, 100.0])),
        Parameter('control_mode', value=draw.choice(['feedforward', 'gravity_pd'])),
    ])


def _bad_parameters(rig: Rig, draw: random.Random) -> None:
    joint = draw.choice(JOINTS)
    rig.set([draw.choice([
        Parameter(f'gains.{joint}.p', value=-1.0), Parameter(f'gains.{joint}.p', value=1e300),
        Parameter(f'gains.{joint}.p', value=float('nan')), Parameter('gains.elbow.p', value=1.0),
        Parameter('control_mode', value='pid'), Parameter('gravity', value=[0.0, 1.0]),
        Parameter('joints', value=['a']), Parameter('speed_scaling', value=2.0),
        Parameter('payload.mass', value=3.0), Parameter('on_exit', value=3),
    ])])


def _trajectory(rig: Rig, draw: random.Random) -> None:
    away = np.array([draw.uniform(-0.4, 0.4) for _ in JOINTS])
    rig.send(START + away, draw.uniform(0.8, 3.0))


def _bad_trajectory(rig: Rig, draw: random.Random) -> None:
    point = JointTrajectoryPoint(positions=START.tolist())
    message: Any = JointTrajectory(joint_names=list(JOINTS), points=[point])
    kind = draw.randrange(6)
    if kind == 0:
        point.positions[2] = float('nan')
    elif kind == 1:
        message.joint_names[3] = 'elbow'
    elif kind == 2:
        point.velocities = [1.0]
    elif kind == 3:
        point.positions[1] = 50.0
    elif kind == 4:
        message.points = []
    content = bytes(serialize_message(message))
    if kind == 5:
        content = content[:8] + draw.randbytes(len(content) - 8)
    rig.trajectories.publish(content)


def _service(rig: Rig, draw: random.Random) -> None:
    rig.call(draw.choice(['stop', 'reset', 'hold', 'reset']))
