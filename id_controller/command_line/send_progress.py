"""What became of a trajectory that was sent, by what the controller says and where it is."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from id_controller.state import FOLLOWING, Vector
from id_controller.trajectory.turns import shortest

DONE, FAILED = 0, 1
_ACCEPTED, _REFUSED = 'trajectory accepted', 'trajectory refused'
FOLLOWING_MODES = tuple(mode.name for mode in FOLLOWING)
# Lines that end a motion and are no change of mode.
_ENDS = ('empty trajectory', '~/enable is off', 'control process', 'leaving')
# How near the reference comes to its last point, rad or m, and how slow it is when it rests.
_AT_REST = 1e-6
# A mode is said as soon as it changes, the reference at a rate: one that old is newer than both.
_SETTLED_NS = 100_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """
    How it ended.

    :param code: ``DONE`` or ``FAILED``.
    :param reason: For a person; empty where there is nothing to say.
    """

    code: int
    reason: str = ''


class Progress:
    """
    Follows one trajectory from its sending to its end.

    All stamps are those of the controller's own clock, so other clocks do not matter.

    :param sent_ns: Stamp of the newest message before it was sent.
    :param joints: Joints of the controller.
    :param target: Where the reference will rest, shape (n,).
    :param continuous: Which joints turn without end, shape (n,).
    """

    def __init__(
        self, sent_ns: int, joints: tuple[str, ...], target: Vector,
        continuous: npt.NDArray[np.bool_],
    ) -> None:
        self.joints = joints
        self._sent_ns, self._target, self._continuous = sent_ns, target, continuous
        self._hold_ns = 0
        self._q: Vector | None = None
        self.answer = ''
        """What the controller said of the trajectory; empty: nothing yet."""
        self.moved = False
        """Whether the reference was seen elsewhere than the time before, at the last look."""
        self.at_target = False
        """Whether the reference rests where the trajectory ends, at the last look."""
        self.outcome: Outcome | None = None

    @property
    def accepted(self) -> bool:
        """Whether the controller took it."""
        return self.answer.startswith(_ACCEPTED)

    def hear(self, stamp_ns: int, line: str) -> None:
        """Take a line of ``~/events``."""
        if stamp_ns <= self._sent_ns or self.outcome is not None:
            return
        if line.startswith(_REFUSED) and not self.answer:
            self.answer = line
            self.outcome = Outcome(code=FAILED)
        elif line.startswith(_ACCEPTED):
            if self.answer:
                self.outcome = Outcome(code=FAILED, reason='another trajectory took its place')
            self.answer = self.answer or line
        elif self.answer:
            self._judge(stamp_ns, line)

    def _judge(self, stamp_ns: int, line: str) -> None:
        """Tell whether a line ends the motion."""
        mode, _, reason = line.removeprefix('mode ').partition(' ')
        if line.startswith('mode '):
            self._hold_ns = stamp_ns if mode == 'HOLD' else 0
            ended = bool(reason) or mode not in FOLLOWING_MODES
        else:
            ended = line.startswith(_ENDS)
        if ended:
            self.outcome = Outcome(code=FAILED, reason=line)

    def see(self, stamp_ns: int, q: Vector, v: Vector) -> None:
        """
        Take a reference.

        :param q: Positions, shape (n,).
        :param v: Velocities, shape (n,).
        """
        self.moved = self._q is not None and not np.array_equal(q, self._q)
        self._q = q
        error = shortest(self._continuous, self._target - q)
        self.at_target = bool((np.abs(v) <= _AT_REST).all() and (np.abs(error) <= _AT_REST).all())
        if self.outcome is not None or not self._hold_ns:
            return
        # Being there is not enough: many motions end where they begin.
        if stamp_ns > self._hold_ns + _SETTLED_NS:
            elsewhere = Outcome(code=FAILED, reason='the controller holds somewhere else')
            self.outcome = Outcome(code=DONE) if self.at_target else elsewhere


def overdue_s(now_s: float, begin_s: float, moved_s: float, duration_s: float) -> float:
    """
    Say for how long nothing has happened that should have, s.

    A robot that moves is not overdue, at whatever speed it is told to go.

    :param begin_s: When the motion began, :param moved_s: when the reference moved last.
    :param duration_s: How long it takes at full speed.
    """
    return now_s - max(begin_s + duration_s, moved_s)
