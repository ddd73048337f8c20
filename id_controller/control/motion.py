"""The reference over time: at rest, or along a trajectory."""
from __future__ import annotations

from id_controller.control.clock import TickClock
from id_controller.control.dynamics import Dynamics
from id_controller.state import Reference, Vector
from id_controller.trajectory.follower import Follower
from id_controller.trajectory.trajectory import Trajectory


class Motion:
    """
    Where the reference of each tick comes from.

    :param model: Robot whose joints move.
    :param velocity_limit: Velocity limits, shape (n,), read whenever a trajectory begins.
    :param clock: Time as the ticks measure it.
    """

    def __init__(self, model: Dynamics, velocity_limit: Vector, clock: TickClock) -> None:
        self._follower = Follower(model.n, model.continuous, velocity_limit)
        self._clock = clock
        self._next: Trajectory | None = None
        self._busy = False

    @property
    def trajectories(self) -> tuple[Trajectory, ...]:
        """The trajectories in use: their memory must stay as it is."""
        used = self._follower.trajectories
        return used if self._next is None else (*used, self._next)

    @property
    def moves(self) -> bool:
        """Whether a trajectory runs; one that waits for its start does not."""
        if not self._busy:
            return False
        return not self._follower.waiting or len(self._follower.trajectories) > 1

    def follow(self, trajectory: Trajectory) -> None:
        """Follow a trajectory from the next tick on."""
        self._next = trajectory

    def drop(self) -> None:
        """Move no more; the reference is about to be set."""
        self._next, self._busy = None, False

    def reference(self, now_ns: int, begin: bool) -> Reference:
        """
        Return the reference of a tick.

        :param now_ns: Time on the clock of the trajectories; it counts only at rest.
        :param begin: Whether a trajectory that came in may begin.
        """
        follower, clock = self._follower, self._clock
        if not self._busy:
            clock.rest(now_ns)
        reference = follower.sample(clock.reference_ns)
        if begin and self._next is not None:
            follower.start(self._next, reference, clock.reference_ns)
            self._next, self._busy = None, True
            reference = follower.sample(clock.reference_ns)
        if self._busy and follower.finished(clock.reference_ns):
            self._busy = False
            follower.hold(reference.q, reference.effort)
        return reference

    def rest(self, q: Vector) -> Reference:
        """
        Rest at a position, shape (n,); a trajectory that just came in is kept for later.

        :returns: The reference that this makes.
        """
        self._busy = False
        self._follower.hold(q)
        return self._follower.sample(self._clock.reference_ns)
