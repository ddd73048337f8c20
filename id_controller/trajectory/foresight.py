"""Where the reference of a trajectory that runs elsewhere will be."""
from __future__ import annotations

from id_controller.state import Reference, Rows
from id_controller.trajectory.follower import Follower
from id_controller.trajectory.planning import Rules
from id_controller.trajectory.trajectory import Trajectory


class Foresight:
    """
    A follower of the same trajectory, set right by what the ticks say is left of it.

    :param rules: Those by which it was planned.
    :param number: What the ticks call it.
    :param reference: The reference from which it started, :param now_ns: and when.
    """

    def __init__(
        self,
        rules: Rules,
        trajectory: Trajectory,
        number: int,
        reference: Reference,
        now_ns: int,
    ) -> None:
        self._number = number
        self._follower = Follower(trajectory.n, rules.continuous, rules.limits.velocity)
        self._follower.start(trajectory, reference, now_ns)
        self._end_ns = now_ns + self._follower.remaining_ns(now_ns)

    def at(self, row: Rows, ahead_ns: int, pace: float, present: Reference) -> Reference:
        """
        Return the reference some time after a tick.

        :param row: The tick.
        :param ahead_ns: Time after it, not negative.
        :param pace: How fast the trajectory runs.
        :param present: Reference of the tick, which stays when the trajectory does not run.
        """
        left_ns = int(row['left_ns'])
        if int(row['trajectory']) != self._number or not left_ns:
            return present
        found = self._follower.sample(self._end_ns - left_ns + round(ahead_ns * pace))
        return found._replace(v=found.v * pace, a=found.a * pace**2)
