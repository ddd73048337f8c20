"""
The validator against mutated trajectories and an independent checker.

The checker is plain Python and shares nothing with the validator. More cases by
ID_CONTROLLER_FUZZ_CASES.
"""
from __future__ import annotations

import dataclasses
import math
import os
from types import SimpleNamespace
from typing import Any

import numpy as np

from id_controller.errors import TrajectoryError
from id_controller.state import Reference
from id_controller.trajectory.follower import Follower
from id_controller.trajectory.planning import Rules, planned
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.trajectory import Trajectory, slot_size

CASES = int(os.environ.get('ID_CONTROLLER_FUZZ_CASES', '10000'))
JOINTS = ('a', 'b', 'c')
LIMITS = SimpleNamespace(
    lower=np.array([-2.0, -1.0, -np.inf]), upper=np.array([2.0, 3.0, np.inf]),
    velocity=np.array([2.0, 1.5, np.inf]), effort=np.array([50.0, 20.0, np.inf]),
)
CONTINUOUS = np.array([False, False, True])
TOLERANCE = np.array([0.2, 0.1, 0.3])
Q_NOW = np.array([0.5, -0.5, 1.0])
ODD = (math.nan, math.inf, -math.inf, 1e300, -1e300, 1e12, 5e-324, 0.0, -0.0, 3.0, -7.0, 49.0)
FIELDS = ('q', 'v', 'a', 'effort')
ACCELERATION = np.array([30.0, 0.0, 40.0])
RULES = Rules(
    joints=JOINTS, continuous=CONTINUOUS, limits=LIMITS, acceleration=ACCELERATION,
    start_tolerance=TOLERANCE,
)
REST = Reference(Q_NOW, np.zeros(3), np.zeros(3), np.zeros(3))
NOW = 10**12


def good(draw: np.random.Generator) -> dict[str, Any]:
    m = int(draw.integers(1, 6))
    times = np.cumsum(draw.uniform(0.5, 2.0, m))
    q = Q_NOW + np.cumsum(draw.uniform(-0.2, 0.2, (m, 3)), axis=0)
    v = draw.uniform(-1.0, 1.0, (m, 3))
    v[-1] = 0.0
    return {
        'joints': JOINTS, 'times': times, 'q': q, 'v': v,
        'a': draw.uniform(-1.0, 1.0, (m, 3)), 'effort': draw.uniform(-15.0, 15.0, (m, 3)),
        'start_ns': 0,
    }


def odd_number(case: dict[str, Any], draw: np.random.Generator) -> None:
    array = case[draw.choice(['times', *FIELDS])]
    if array is not None and array.size and array.dtype == np.float64:
        array.flat[draw.integers(array.size)] = draw.choice(ODD)


def scaled(case: dict[str, Any], draw: np.random.Generator) -> None:
    name = draw.choice(['times', *FIELDS])
    if case[name] is not None:
        case[name] = case[name] * draw.choice([-1.0, 1e-9, 1e-3, 0.3, 3.0, 100.0])


def absent(case: dict[str, Any], draw: np.random.Generator) -> None:
    case[draw.choice(FIELDS)] = None


def cut(case: dict[str, Any], draw: np.random.Generator) -> None:
    name = draw.choice(['times', *FIELDS])
    if case[name] is not None:
        part = case[name][: draw.integers(len(case[name]) + 1)]
        case[name] = part[..., : draw.integers(4)] if draw.random() < 0.5 else part


def reshaped(case: dict[str, Any], draw: np.random.Generator) -> None:
    name = draw.choice(['times', *FIELDS])
    if case[name] is not None:
        case[name] = draw.choice([np.ravel, np.atleast_3d, np.transpose])(case[name])


def renamed(case: dict[str, Any], draw: np.random.Generator) -> None:
    names = list(draw.permutation([*case['joints'], 'b', 'd', ''])[: draw.integers(5)])
    case['joints'] = tuple(str(name) for name in names)


def permuted(case: dict[str, Any], draw: np.random.Generator) -> None:
    case['joints'] = tuple(case['joints'][i] for i in draw.permutation(len(case['joints'])))


def swapped_times(case: dict[str, Any], draw: np.random.Generator) -> None:
    case['times'] = draw.permutation(case['times'])


def first_now(case: dict[str, Any], draw: np.random.Generator) -> None:
    if case['times'].size and np.isfinite(case['times']).all():
        case['times'] = case['times'] - case['times'].flat[0]


def restamped(case: dict[str, Any], draw: np.random.Generator) -> None:
    case['start_ns'] = int(draw.choice([-1, 1, 10**9, 2 * 10**12]))


def integers(case: dict[str, Any], draw: np.random.Generator) -> None:
    name = draw.choice(['times', 'q'])
    if case[name] is not None and np.isfinite(case[name]).all() and np.abs(case[name]).max(
            initial=0.0) < 1e9:
        case[name] = case[name].astype(np.int64)


MUTATIONS = (
    odd_number, scaled, absent, cut, reshaped, renamed, permuted, swapped_times, first_now,
    restamped, integers,
)


def is_good(case: dict[str, Any], found: Trajectory) -> bool:
    """Check one accepted trajectory, number by number."""
    times = [float(at) for at in case['times']]
    names = case['joints']
    return (
        all(math.isfinite(at) and at >= 0.0 for at in times)
        and all(later > sooner for sooner, later in zip(times, times[1:]))
        and len(set(names)) == len(names)
        and all(joint_is_good(case, times, column) for column in range(len(names)))
        and (case['q'] is None or all(
            found.q[k][JOINTS.index(name)] == case['q'][k][column]
            for column, name in enumerate(names) for k in range(len(times))
        ))
    )


def joint_is_good(case: dict[str, Any], times: list[float], column: int) -> bool:
    i = JOINTS.index(case['joints'][column])
    rows = {
        name: [float(row[column]) for row in case[name]]
        for name in FIELDS if case[name] is not None
    }
    q, v, effort = rows.get('q', []), rows.get('v', [0.0]), rows.get('effort', [0.0])
    speed = LIMITS.velocity[i] * (1.0 + 1e-5)
    ways = [abs(later - sooner) for sooner, later in zip(q, q[1:])]
    gaps = [later - sooner for sooner, later in zip(times, times[1:])]
    return (
        all(math.isfinite(number) for row in rows.values() for number in row)
        and all(LIMITS.lower[i] - 1e-5 <= at <= LIMITS.upper[i] + 1e-5 for at in q)
        and all(abs(number) <= speed for number in v)
        and all(abs(number) <= LIMITS.effort[i] * (1.0 + 1e-5) for number in effort)
        and all(way <= speed * gap for way, gap in zip(ways, gaps))
        and abs(v[-1]) <= 0.01
        and (times[0] >= 1e-3 or not q or start_is_good(q[0] - Q_NOW[i], i))
    )


def start_is_good(way: float, i: int) -> bool:
    if CONTINUOUS[i]:
        way = math.remainder(way, 2.0 * math.pi)
    return abs(way) <= TOLERANCE[i] * (1.0 + 1e-5)


def test_b01_mutated_trajectories_are_refused_or_good() -> None:
    draw = np.random.default_rng(20)
    accepted, reasons = 0, set()
    follower = Follower(3, CONTINUOUS, LIMITS.velocity)
    slot = bytearray(slot_size(8, 3))
    for _ in range(CASES):
        case = good(draw)
        for mutate in draw.choice(MUTATIONS, size=draw.integers(0, 4)):
            mutate(case, draw)
        rules = dataclasses.replace(
            RULES, partial=bool(draw.random() < 0.5), integrate=bool(draw.random() < 0.5),
            method=str(draw.choice(['splines', 'c2', 'none'])),
        )
        try:
            found = planned(JointPoints(**case), rules, REST, NOW)
        except TrajectoryError as error:
            reasons.add(str(error).split('got')[0].split(', joint')[0][:30])
            continue
        accepted += 1
        assert is_good(case, found), case
        found.write_to(slot)
        check_samples(follower, Trajectory.view(slot, 3), draw)
    assert CASES * 0.1 < accepted < CASES * 0.9
    assert len(reasons) > 10


def check_samples(
    follower: Follower, trajectory: Trajectory, draw: np.random.Generator
) -> None:
    """What the controller would follow stays within the limits, wherever it is looked at."""
    follower.hold(Q_NOW)
    follower.start(trajectory, REST, NOW)
    begin = trajectory.start_ns or NOW
    late = begin < NOW or float(trajectory.times[0]) < 1e-3
    end = float(trajectory.times[-1])
    follower.sample(max(NOW, begin))  # a tick comes when a stamp is due
    for at in draw.uniform(-0.1, 1.1, 6) * end:
        q, v, a, effort = follower.sample(max(NOW, begin + round(at * 1e9)))
        assert all(np.isfinite(array).all() for array in (q, v, a, effort))
        if trajectory.steps or late:
            continue  # Steps are steps, and what comes late is blended in at a speed of its own.
        assert (np.abs(v) <= LIMITS.velocity * (1.0 + 1e-5)).all()
        assert ((q >= LIMITS.lower - 1e-5) & (q <= LIMITS.upper + 1e-5))[:2].all()
        limited = ACCELERATION > 0.0
        assert (np.abs(a) <= ACCELERATION * (1.0 + 1e-5))[limited].all()
