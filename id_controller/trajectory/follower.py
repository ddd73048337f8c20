"""Following a trajectory: the reference of the controller at each time."""
from __future__ import annotations

import math
from bisect import bisect_right

import numpy as np
import numpy.typing as npt

from id_controller.errors import TrajectoryError
from id_controller.state import NANOSECONDS, Reference, Vector
from id_controller.trajectory.junction import Junction
from id_controller.trajectory.spline import Evaluator
from id_controller.trajectory.trajectory import Trajectory


class Follower:
    """
    The wanted motion over time: at rest, or along a trajectory.

    A trajectory starts from the reference that is in force, with q, v and a continuous. One whose
    start lies in the future waits, and what goes on now goes on until then. After the last point
    the reference rests there, with the effort of that point.

    :param n: Number of joints.
    :param continuous: Which joints turn without end, shape (n,); None: none.
    :param velocity: Velocity limits, shape (n,), for the blend; None: unlimited.
    """

    def __init__(
        self,
        n: int,
        continuous: npt.NDArray[np.bool_] | None = None,
        velocity: Vector | None = None,
    ) -> None:
        turning = np.zeros(n, dtype=bool) if continuous is None else continuous
        limit = np.full(n, np.inf) if velocity is None else velocity
        self._junction = Junction(turning, limit)
        self._motion = np.zeros((3, n))
        self._effort = np.zeros(n)
        self._effort_way = np.zeros(n)
        q, v, a = self._motion
        self._reference = Reference(q, v, a, self._effort)
        self._evaluator = Evaluator()
        self._trajectory: Trajectory | None = None
        self._next: Trajectory | None = None
        self._next_ns = self._start_ns = self._rest_ns = 0
        self._first_s = self._end_s = 0.0
        self._segment, self._from_s, self._to_s = 0, math.inf, -math.inf

    @property
    def trajectories(self) -> tuple[Trajectory, ...]:
        """The trajectories in use, running and waiting: their memory must stay as it is."""
        both = (self._trajectory, self._next)
        return tuple(trajectory for trajectory in both if trajectory is not None)

    @property
    def waiting(self) -> bool:
        """Whether a trajectory has not started yet."""
        return self._next is not None

    def hold(self, q: Vector, effort: Vector | None = None) -> None:
        """
        Drop every trajectory and rest.

        :param q: Positions, shape (n,).
        :param effort: Effort added as feedforward, shape (n,); None: 0.
        """
        self._trajectory = self._next = None
        self._motion[0] = q
        self._motion[1:] = 0.0
        self._effort[:] = 0.0 if effort is None else effort

    def start(
        self,
        trajectory: Trajectory,
        reference: Reference,
        at_ns: int,
        now_ns: int | None = None,
    ) -> None:
        """
        Take a trajectory; one that waits already is dropped.

        :param reference: The reference in force, usually the last one sampled.
        :param at_ns: The time of the reference, which may pass more slowly than that of stamps.
        :param now_ns: The time, on the clock of ``trajectory.start_ns``; None: the same.
        :raises TrajectoryError: when it has another number of joints.
        """
        if trajectory.n != len(self._effort):
            raise TrajectoryError(
                f'trajectory: got {trajectory.n} joints, expected {len(self._effort)}'
            )
        now_ns = at_ns if now_ns is None else now_ns
        if trajectory.start_ns <= now_ns:
            self._begin(trajectory, reference, at_ns, now_ns)
            return
        if self._trajectory is None:
            self.hold(reference.q, reference.effort)
        self._next, self._next_ns = trajectory, trajectory.start_ns

    def sample(self, at_ns: int, now_ns: int | None = None) -> Reference:
        """
        Return the reference at a time.

        :param at_ns: The time of the reference.
        :param now_ns: The time on the clock of stamps; None: the same.
        :returns: Views that are valid until the next call.
        """
        self._evaluate(at_ns)
        if self._next is not None:
            now_ns = at_ns if now_ns is None else now_ns
            if now_ns >= self._next_ns:
                self._begin(self._next, self._reference, at_ns, now_ns)
                self._evaluate(at_ns)
        return self._reference

    def finished(self, at_ns: int) -> bool:
        """Whether the last point has been reached and nothing waits."""
        if self._trajectory is None or self._next is not None:
            return self._next is None
        return at_ns >= self._rest_ns

    def remaining_ns(self, at_ns: int, now_ns: int | None = None) -> int:
        """Return the time to the end of the last trajectory; 0 when there is none."""
        if self._next is not None:
            waits_ns = self._next_ns - (at_ns if now_ns is None else now_ns)
            return waits_ns + round(float(self._next.times[-1]) * NANOSECONDS)
        if self._trajectory is None:
            return 0
        left_ns = self._rest_ns - at_ns
        return left_ns if left_ns > 0 else 0

    def _begin(
        self, trajectory: Trajectory, reference: Reference, at_ns: int, now_ns: int
    ) -> None:
        """Fit the way from the reference onto the trajectory and let it run."""
        self._junction.leave(reference)
        self._trajectory, self._next = trajectory, None
        late_ns = now_ns - trajectory.start_ns if trajectory.start_ns else 0
        self._start_ns = at_ns - late_ns
        self._first_s, self._end_s = float(trajectory.times[0]), float(trajectory.times[-1])
        self._from_s, self._to_s = math.inf, -math.inf
        now_s = late_ns / NANOSECONDS
        self._along(trajectory, now_s)
        self._junction.join(
            self._motion, trajectory.entrance, self._effort, now_s, self._first_s, trajectory.steps
        )
        rest_s = max(self._end_s, self._junction.blend_end_s)
        self._rest_ns = self._start_ns + round(rest_s * NANOSECONDS)

    def _evaluate(self, at_ns: int) -> None:
        trajectory, junction = self._trajectory, self._junction
        if trajectory is None:
            return
        now_s = (at_ns - self._start_ns) / NANOSECONDS
        if now_s < junction.entry_end_s:
            junction.entry(now_s, self._motion, self._effort)
            return
        self._along(trajectory, now_s)
        if now_s < junction.blend_end_s:
            junction.add_offset(now_s, self._motion)

    def _along(self, trajectory: Trajectory, now_s: float) -> None:
        """Evaluate the trajectory itself; outside its points the nearest one counts."""
        motion = self._motion
        now_s = max(now_s, self._first_s)
        if now_s >= self._end_s:
            motion[0] = trajectory.q[-1]
            motion[1:] = 0.0
            self._effort[:] = trajectory.effort[-1]
        else:
            if not self._from_s <= now_s < self._to_s:
                self._find(trajectory, now_s)
            if trajectory.steps:
                self._step(trajectory)
            else:
                self._interpolate(trajectory, now_s - self._from_s)
        if self._junction.shifted:
            np.add(motion[0], self._junction.shift, out=motion[0])

    def _find(self, trajectory: Trajectory, now_s: float) -> None:
        """Find the segment of a time: mostly the next one, else by bisection."""
        times, k = trajectory.times, self._segment + 1
        if not (k + 1 < len(times) and times[k] <= now_s < times[k + 1]):
            k = bisect_right(times, now_s) - 1
        self._segment, self._from_s, self._to_s = k, float(times[k]), float(times[k + 1])

    def _step(self, trajectory: Trajectory) -> None:
        k = self._segment
        self._motion[0] = trajectory.q[k]
        self._motion[1] = trajectory.v[k]
        self._motion[2] = trajectory.a[k]
        self._effort[:] = trajectory.effort[k]

    def _interpolate(self, trajectory: Trajectory, s: float) -> None:
        k, effort = self._segment, self._effort
        self._evaluator.evaluate(s, trajectory.coefficients[k], self._motion)
        if trajectory.has_effort:
            np.subtract(trajectory.effort[k + 1], trajectory.effort[k], out=self._effort_way)
            self._effort_way *= s / (self._to_s - self._from_s)
            np.add(trajectory.effort[k], self._effort_way, out=effort)
        else:
            effort.fill(0.0)
