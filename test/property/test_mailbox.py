"""Whatever happens to the mail, only whole snapshots arrive, in order and once."""
from __future__ import annotations

import contextlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from mailbox_rig import Rogue, two_ends

from id_controller.errors import MailboxError
from id_controller.realtime.layout import Layout
from id_controller.realtime.messages import Datagram, Kind, NewTrajectory, datagram_bytes
from id_controller.realtime.pacing import Tick
from id_controller.realtime.telemetry import Done, TelemetryReader, TelemetryWriter
from id_controller.state import Command, JointState, Mode, Reference
from id_controller.trajectory.trajectory import Trajectory

LAYOUT = Layout(n=1, terms=1, points_max=3, ticks=8, nonce=42)

TAMPERINGS = st.sampled_from(
    ['good', 'good', 'repeated', 'reordered', 'foreign', 'torn', 'replaced', 'cut', 'noise']
)


def trajectory(value: float) -> Trajectory:
    column = np.full((2, 1), value)
    return Trajectory(
        times=np.array([0.0, 1.0]), q=column, v=column, a=column, effort=column,
        coefficients=np.full((1, 6, 1), value),
    )


class Post(Rogue):
    """Sends trajectories by hand, so that each step can go wrong."""

    def __init__(self) -> None:
        super().__init__(LAYOUT)
        self.number = self.last = 0

    def post(self, tampering: str, noise: bytes) -> float | None:
        """Send one trajectory; return its value if it must arrive."""
        self.number += 1
        number, index = self.number, 2 + self.number % 3
        slot, wanted = self.slots[index], float(number)
        if tampering == 'torn':
            with contextlib.suppress(InterruptedError):
                slot.write(number, _interrupted)
        else:
            slot.write(number, trajectory(wanted).write_to)
        if tampering == 'replaced':
            slot.write(number + 1000, trajectory(-1.0).write_to)
        before = {'repeated': self.last, 'reordered': max(self.last - 1, 0)}
        nonce = 43 if tampering == 'foreign' else LAYOUT.nonce
        if tampering in ('good', 'torn', 'replaced'):
            self.last = number
        sequence = before.get(tampering, number)
        content = datagram_bytes(nonce, Datagram(sequence, Kind.TRAJECTORY, index, number, b''))
        self.send_bytes({'cut': content[:17], 'noise': noise}.get(tampering, content))
        return wanted if tampering == 'good' else None


def _interrupted(body: memoryview) -> None:
    trajectory(-1.0).write_to(body)
    raise InterruptedError


@given(st.lists(st.tuples(TAMPERINGS, st.binary(min_size=1, max_size=80)), max_size=20))
def test_only_whole_snapshots_arrive_in_order_and_once(mail: list[tuple[str, bytes]]) -> None:
    post = Post()
    wanted, got = [], []
    for tampering, noise in mail:
        value = post.post(tampering, noise)
        wanted += [] if value is None else [value]
        for message in post.control.poll():
            assert isinstance(message, NewTrajectory)
            got.append(float(message.trajectory.coefficients[0, 3, 0]))
            del message
    assert got == wanted
    assert not post.control.host_gone


class Looker:
    """A controller that keeps looking at whatever trajectory it likes."""

    def __init__(self) -> None:
        self.host, self.control = two_ends(n=1, points_max=3)
        self.kept: list[tuple[float, np.ndarray]] = []
        self.arrived: list[float] = []
        self.sent, self.keeps = 0, False

    def send(self) -> None:
        with contextlib.suppress(MailboxError):
            self.host.send_trajectory(trajectory(float(self.sent + 1)))
            self.sent += 1

    def poll(self) -> None:
        for message in self.control.poll():
            self.arrived.append(float(message.trajectory.q[0, 0]))
            if self.keeps:
                self.kept.append((self.arrived[-1], message.trajectory.q[1:]))

    def keep(self) -> None:
        self.keeps = not self.keeps

    def drop(self) -> None:
        del self.kept[:1]


@given(st.lists(st.sampled_from(['send', 'poll', 'keep', 'drop']), max_size=60))
def test_what_somebody_looks_at_never_changes(steps: list[str]) -> None:
    looker = Looker()
    for step in steps:
        getattr(looker, step)()
        assert all(part.item() == value for value, part in looker.kept)
        assert len(looker.kept) <= 3
    looker.poll()
    assert looker.arrived == [float(k + 1) for k in range(looker.sent)]
    looker.kept.clear()
    looker.poll()
    looker.host.send_trajectory(trajectory(0.0))


@given(st.lists(st.integers(0, 12), max_size=12))
def test_telemetry_gives_each_row_once_or_not_at_all(bursts: list[int]) -> None:
    content = memoryview(bytearray(LAYOUT.total))
    writer, reader = TelemetryWriter(content, LAYOUT), TelemetryReader(content, LAYOUT)
    written, last, seen = 0, -1, []
    for burst in bursts:
        for _ in range(burst):
            value = np.array([float(written)])
            writer.record(
                Tick(written, written), JointState(value, value, 0),
                Command(
                    value, True, Mode.HOLD, 0, Reference(value, value, value, value),
                    value.reshape(1, 1),
                ),
                Done(0, 0, 0, True),
            )
            written += 1
        rows = reader.since(last)
        assert all(row['tick'] == row['now_ns'] == row['q'][0] == row['terms'] for row in rows)
        if len(rows):
            last = int(rows['tick'][-1])
            assert last == written - 2
        assert len(rows) >= min(burst, LAYOUT.ticks - 2) - 1
        seen += rows['tick'].tolist()
    assert seen == sorted(set(seen))
