"""What happens to a joint state on its way; bytes in, bytes out."""
from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState

NANOSECONDS = 1_000_000_000
_DELAY_S = 0.03
_NOISE, _JUMP = 0.02, 0.6


class Mangler:
    """Passes states on, as long as it is not told to do worse."""

    def __init__(self) -> None:
        self._do: Callable[[bytes, int], list[bytes]] = self._pass
        self._draw = random.Random(0)
        self._held: list[tuple[int, bytes]] = []
        self._stamp: Any = None

    def begin(self, kind: str, seed: int) -> None:
        """
        Do one kind of harm from now on.

        :param kind: One of ``schedule.STATES``, or another word for none.
        """
        self._draw, self._stamp = random.Random(seed), None
        self._do = getattr(self, f'_{kind}', self._pass)

    def through(self, content: bytes, now_ns: int) -> list[bytes]:
        """
        Return what goes on in place of a message.

        :param now_ns: Steady time.
        """
        due = [held for at_ns, held in self._held if at_ns <= now_ns]
        self._held = [one for one in self._held if one[0] > now_ns]
        return due + self._do(content, now_ns)

    def _pass(self, content: bytes, now_ns: int) -> list[bytes]:
        return [content]

    def _drop(self, content: bytes, now_ns: int) -> list[bytes]:
        return [] if self._draw.random() < 0.6 else [content]

    def _late(self, content: bytes, now_ns: int) -> list[bytes]:
        delay_ns = round(self._draw.uniform(0.0, _DELAY_S) * NANOSECONDS)
        self._held.append((now_ns + delay_ns, content))
        return []

    def _reorder(self, content: bytes, now_ns: int) -> list[bytes]:
        if self._draw.random() < 0.3:
            self._held.append((now_ns + 3_000_000, content))
            return []
        return [content]

    def _repeat(self, content: bytes, now_ns: int) -> list[bytes]:
        return [content] * self._draw.randrange(1, 4)

    def _cut(self, content: bytes, now_ns: int) -> list[bytes]:
        return [content[: self._draw.randrange(len(content))]]

    def _noise(self, content: bytes, now_ns: int) -> list[bytes]:
        def act(state: Any) -> None:
            state.position = [q + self._draw.gauss(0.0, _NOISE) for q in state.position]
            state.velocity = [v + self._draw.gauss(0.0, _NOISE) for v in state.velocity]

        return _changed(content, act)

    def _not_a_number(self, content: bytes, now_ns: int) -> list[bytes]:
        def act(state: Any) -> None:
            field = self._draw.choice((state.position, state.velocity))
            field[self._draw.randrange(len(field))] = self._draw.choice(
                (float('nan'), float('inf'), -1e300)
            )

        return _changed(content, act)

    def _shuffle(self, content: bytes, now_ns: int) -> list[bytes]:
        def act(state: Any) -> None:
            order = list(range(len(state.name)))
            self._draw.shuffle(order)
            for name in ('name', 'position', 'velocity'):
                values = getattr(state, name)
                setattr(state, name, [values[k] for k in order])
            state.effort = []

        return _changed(content, act)

    def _no_velocity(self, content: bytes, now_ns: int) -> list[bytes]:
        return _changed(content, lambda state: setattr(state, 'velocity', []))

    def _freeze_stamp(self, content: bytes, now_ns: int) -> list[bytes]:
        def act(state: Any) -> None:
            self._stamp = self._stamp or state.header.stamp
            state.header.stamp = self._stamp

        return _changed(content, act)

    def _jump(self, content: bytes, now_ns: int) -> list[bytes]:
        """Another publisher of the same joints, which says something else."""
        def act(state: Any) -> None:
            state.position = [q + _JUMP for q in state.position]

        return [content] if self._draw.random() < 0.5 else _changed(content, act)


def _changed(content: bytes, act: Callable[[Any], None]) -> list[bytes]:
    state = deserialize_message(content, JointState)
    act(state)
    return [bytes(serialize_message(state))]
