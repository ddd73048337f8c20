"""What the reference would do on a trajectory, sampled as the controller follows it."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from id_controller.command_line.send_facts import Situation
from id_controller.command_line.text_table import number, text_table
from id_controller.state import NANOSECONDS, Matrix, Vector
from id_controller.trajectory.follower import Follower
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.trajectory import Trajectory

SAMPLES = 2000
_BEGIN_NS = NANOSECONDS


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """
    The reference from now to its rest.

    :param times: Times from now, shape (k,), s.
    :param q: Positions, :param v: velocities, :param a: accelerations, shape (k, n) each.
    :param tau: Efforts that this takes, shape (k, n).
    """

    times: Vector
    q: Matrix
    v: Matrix
    a: Matrix
    tau: Matrix

    @property
    def duration_s(self) -> float:
        """Time until the reference rests, s."""
        return float(self.times[-1])


def preview(trajectory: Trajectory, situation: Situation) -> Preview:
    """Follow a trajectory from the reference in force."""
    model, limits = situation.configuration.model, situation.configuration.limits
    follower = Follower(trajectory.n, model.continuous, limits.velocity)
    follower.hold(situation.reference.q)
    follower.start(trajectory, situation.reference, _BEGIN_NS)
    duration_s = follower.remaining_ns(_BEGIN_NS) / NANOSECONDS
    times = np.linspace(0.0, duration_s, SAMPLES)
    instants_ns = _BEGIN_NS + np.rint(times * NANOSECONDS).astype(np.int64)
    # Rounded to just before the end, a reference that steps would not be there yet.
    instants_ns[-1] += 1
    rows = []
    for now_ns in instants_ns.tolist():
        q, v, a, effort = follower.sample(now_ns)
        rows.append((q.copy(), v.copy(), a.copy(), model.inverse_dynamics(q, v, a) + effort))
    q, v, a, tau = (np.array(column) for column in zip(*rows))
    return Preview(times=times, q=q, v=v, a=a, tau=tau)


def preview_text(points: JointPoints, seen: Preview, situation: Situation) -> str:
    """Write what a person wants to know before the robot moves."""
    limits = situation.configuration.limits
    method = situation.configuration.parameters.interpolation_method
    count = len(points.times)
    head = (
        f'{count} point{"s" * (count != 1)}, {seen.duration_s:.3f} s, '
        f'{interpolation(points, method)}'
    )
    acceleration = situation.configuration.rules().acceleration
    rows = []
    for k, (joint, unit) in enumerate(zip(situation.joints, situation.units)):
        v, a, tau = (float(np.abs(rows[:, k]).max()) for rows in (seen.v, seen.a, seen.tau))
        rows.append((
            joint, unit, number(seen.q[0, k], 3), number(seen.q[-1, k], 3), number(v, 3),
            _share(v, limits.velocity[k]), number(a, 3), _share(a, acceleration[k]),
            _share(tau, limits.effort[k]),
        ))
    header = (
        'joint', 'unit', 'from', 'to', 'peak |v|', 'of limit', 'peak |a|', 'of limit', 'effort'
    )
    return f'{head}\n{text_table(header, rows)}'


def interpolation(points: JointPoints, method: str) -> str:
    """Say how the points are joined."""
    if method == 'none':
        return 'steps from point to point (interpolation_method none)'
    if len(points.times) == 1:
        return 'one quintic from the reference to the point'
    if method == 'c2' and (points.v is None or points.a is None):
        return 'smooth through the points (interpolation_method c2)'
    if points.v is None:
        return 'linear between the points (no velocities)'
    return 'cubic between the points' if points.a is None else 'quintic between the points'


def overloaded(seen: Preview, situation: Situation) -> tuple[str, ...]:
    """Say which joints have not the strength, by the model."""
    effort = situation.configuration.limits.effort
    peak = np.abs(seen.tau).max(axis=0)
    return tuple(
        f'{joint}: this takes up to {wanted:.3g} of {limit:.3g} {unit}; slower takes less'
        for joint, wanted, limit, unit in zip(
            situation.joints, peak, effort,
            ('N' if unit == 'm' else 'N m' for unit in situation.units),
        )
        if wanted > limit
    )


def _share(value: float, limit: float) -> str:
    return f'{100.0 * value / limit:.0f} %' if 0.0 < limit < np.inf else '-'
