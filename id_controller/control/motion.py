"""The reference over time: at rest, or along a trajectory, at the speed that is wanted."""
from __future__ import annotations

import numpy as np

from id_controller.control.clock import TickClock
from id_controller.control.dynamics import Dynamics
from id_controller.control.settings import Settings
from id_controller.state import NANOSECONDS, Reference, Vector
from id_controller.trajectory.follower import Follower
from id_controller.trajectory.stopping import stopping
from id_controller.trajectory.trajectory import Trajectory

PACE_TIME_S = 0.5
"""Time in which a trajectory comes from no speed to all of it, or back."""


class Motion:
    """
    Where the reference of each tick comes from.

    A trajectory runs in a time of its own, which passes at the pace of ``speed_scaling``: there
    v and a are those of the trajectory, here they are scaled.

    :param model: Robot whose joints move.
    :param velocity_limit: Velocity limits, shape (n,), read whenever a trajectory begins.
    :param clock: Time as the ticks measure it.
    """

    def __init__(self, model: Dynamics, velocity_limit: Vector, clock: TickClock) -> None:
        self._follower = Follower(model.n, model.continuous, velocity_limit)
        self._clock = clock
        self._next: Trajectory | None = None
        self._busy = self._stops = self._stopping = False
        self.number = 0
        """Number of the trajectory that came last; 0 once it was dropped."""
        self._now_ns = self._ended_ns = 0
        q, _, _, effort = self._follower.sample(0)
        self._scaled = Reference(q, np.zeros(model.n), np.zeros(model.n), effort)

    def configure(self, settings: Settings) -> None:
        """Take over what the settings say of motions."""
        self._settings = settings

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

    @property
    def left_ns(self) -> int:
        """Time to the end of the last trajectory, in its own time; 0 when nothing is left."""
        if not self._busy:
            return 0
        left_ns = self._follower.remaining_ns(self._clock.reference_ns, self._now_ns)
        return left_ns or 1

    def follow(self, trajectory: Trajectory, number: int) -> None:
        """Follow a trajectory from the next tick on."""
        self._next, self.number, self._stops = trajectory, number, False

    def drop(self) -> None:
        """Move no more; the reference is about to be set."""
        self._next, self._busy, self.number = None, False, 0
        self._stops = self._stopping = False

    def brake(self) -> bool:
        """
        Decelerate from the next tick on, and rest then.

        :returns: Whether that can be done; if not, the reference is to be set.
        """
        if not self.moves or not self._settings.deceleration.any():
            return False
        # Asked again and again, a stop that starts afresh each time would never end.
        self._stops = not self._stopping
        self._next, self.number = None, 0
        return True

    def reference(self, now_ns: int, begin: bool) -> Reference:
        """
        Return the reference of a tick.

        :param now_ns: Time on the clock of the stamps.
        :param begin: Whether a trajectory that came in may begin.
        """
        follower, clock = self._follower, self._clock
        self._now_ns = now_ns
        if not self._busy:
            clock.rest(now_ns)
        reference = self._paced(follower.sample(clock.reference_ns, now_ns))
        if begin and (self._stops or self._next is not None):
            reference = self._begin(reference)
        if self._busy and follower.finished(clock.reference_ns):
            self._busy = self._stopping = False
            self._ended_ns = now_ns
            follower.hold(reference.q, reference.effort)
        elif not self._busy and self._effort_is_due():
            follower.hold(reference.q)
        return reference

    def _begin(self, reference: Reference) -> Reference:
        follower, clock, settings = self._follower, self._clock, self._settings
        self._stopping, self._stops = self._stops, False
        if self._stopping:
            # In real time: a stop must not wait for a pace.
            clock.scale = 1.0
            trajectory: Trajectory | None = stopping(
                reference, settings.deceleration, settings.lower, settings.upper
            )
        else:
            trajectory, self._next = self._next, None
            reference = follower.sample(clock.reference_ns, self._now_ns)
        if trajectory is not None:
            follower.start(trajectory, reference, clock.reference_ns, self._now_ns)
            self._busy = True
        return self._paced(follower.sample(clock.reference_ns, self._now_ns), change=False)

    def _paced(self, reference: Reference, change: bool = True) -> Reference:
        """Scale v and a, and let the pace come nearer to the one that is wanted."""
        clock = self._clock
        before, wanted = clock.scale, self._settings.speed_scaling
        if before == 1.0 and (wanted == 1.0 or self._stopping):
            return reference
        if not self.moves:
            clock.scale = wanted
            return reference
        step = clock.dt_s / PACE_TIME_S
        now = min(max(wanted, before - step), before + step) if change else before
        scaled = self._scaled
        np.multiply(reference.v, now, out=scaled.v)
        np.multiply(reference.a, now * now, out=scaled.a)
        if now != before and clock.dt_s > 0.0:
            scaled.a[:] += (now - before) / clock.dt_s * reference.v
        clock.scale = now
        return scaled

    def _effort_is_due(self) -> bool:
        timeout_s = self._settings.cmd_timeout_s
        return timeout_s > 0.0 and self._now_ns - self._ended_ns > timeout_s * NANOSECONDS

    def rest(self, q: Vector) -> Reference:
        """
        Rest at a position, shape (n,); a trajectory that just came in is kept for later.

        :returns: The reference that this makes.
        """
        self._busy = self._stops = self._stopping = False
        if self._next is None:
            self.number = 0
        self._follower.hold(q)
        return self._follower.sample(self._clock.reference_ns)
