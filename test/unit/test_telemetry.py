"""The ring of ticks."""
from __future__ import annotations

import numpy as np
import pytest

from id_controller.realtime.layout import Layout
from id_controller.realtime.pacing import Tick
from id_controller.realtime.telemetry import Done, TelemetryReader, TelemetryWriter
from id_controller.state import Command, JointState, Mode, Reference

LAYOUT = Layout(n=2, terms=3, points_max=2, ticks=8)


@pytest.fixture
def ring() -> tuple[TelemetryWriter, TelemetryReader]:
    memory = memoryview(bytearray(LAYOUT.total))
    return TelemetryWriter(memory, LAYOUT), TelemetryReader(memory, LAYOUT)


def write(writer: TelemetryWriter, number: float = 0.0) -> None:
    pair = np.array([number, number + 0.5])
    writer.record(
        Tick(now_ns=11, steady_ns=1000, lateness_ns=7, skipped=2, timed_out=True),
        JointState(pair, pair + 1.0, age_ns=13),
        Command(
            tau=pair + 5.0, publish=True, mode=Mode.TRACK, fault=4,
            reference=Reference(pair + 2.0, pair + 3.0, pair + 4.0, pair),
            terms=np.arange(6.0).reshape(3, 2) + number,
        ),
        Done(taken_ns=1100, computed_ns=1350, published_ns=1400, published=True),
    )


def test_a_row_holds_what_was_recorded(ring: tuple[TelemetryWriter, TelemetryReader]) -> None:
    writer, reader = ring
    write(writer, 100.0)
    write(writer)
    (row,) = reader.latest()
    whole = {
        'tick': 0, 'now_ns': 11, 'steady_ns': 1000, 'mode': int(Mode.TRACK), 'fault': 4,
        'lateness_ns': 7, 'take_ns': 100, 'compute_ns': 250, 'publish_ns': 50, 'age_ns': 13,
        'skipped': 2, 'published': 1, 'timed_out': 1,
    }
    assert {name: int(row[name]) for name in whole} == whole
    for name, offset in (('q', 0), ('v', 1), ('q_ref', 2), ('v_ref', 3), ('a_ref', 4), ('tau', 5)):
        np.testing.assert_array_equal(row[name], [100.0 + offset, 100.5 + offset])
    np.testing.assert_array_equal(row['terms'], [[100, 101], [102, 103], [104, 105]])


def test_nothing_is_read_before_a_row_is_surely_whole(
    ring: tuple[TelemetryWriter, TelemetryReader],
) -> None:
    writer, reader = ring
    assert len(reader.latest()) == len(reader.since(-1)) == 0
    write(writer)
    assert len(reader.latest()) == len(reader.since(-1)) == 0
    write(writer)
    assert len(reader.latest()) == len(reader.since(-1)) == 1


def test_reading_on_gives_every_row_once(ring: tuple[TelemetryWriter, TelemetryReader]) -> None:
    writer, reader = ring
    seen: list[float] = []
    tick, number = -1, 0
    for burst in (1, 3, 0, 5, 6, 2, 1):
        for _ in range(burst):
            write(writer, float(number))
            number += 1
        rows = reader.since(tick)
        seen += rows['q'][:, 0].tolist()
        tick = int(rows['tick'][-1]) if len(rows) else tick
    assert seen == [float(each) for each in range(number - 1)]


def test_overwritten_rows_are_missing_and_never_wrong(
    ring: tuple[TelemetryWriter, TelemetryReader],
) -> None:
    writer, reader = ring
    for number in range(21):
        write(writer, float(number))
    rows = reader.since(3)
    # Row 20 is the newest, and row 13 lies where the writer writes next.
    assert rows['tick'].tolist() == [14, 15, 16, 17, 18, 19]
    assert rows['q'][:, 0].tolist() == [14.0, 15.0, 16.0, 17.0, 18.0, 19.0]


def test_rows_that_are_overtaken_while_they_are_read_are_missing(
    ring: tuple[TelemetryWriter, TelemetryReader], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, reader = ring
    for number in range(9):
        write(writer, float(number))
    rows = reader._ring

    class Racing:
        """A ring in which the writer gets three rows further before the copy is made."""

        def take(self, indices: np.ndarray) -> np.ndarray:
            for number in range(9, 12):
                write(writer, float(number))
            return rows.take(indices)

    monkeypatch.setattr(reader, '_ring', Racing())
    # 2 and 3 are overwritten, and 4 lies where the writer writes next.
    assert reader.since(-1)['tick'].tolist() == [5, 6, 7]


def test_rows_are_copies(ring: tuple[TelemetryWriter, TelemetryReader]) -> None:
    writer, reader = ring
    write(writer, 1.0)
    write(writer, 2.0)
    rows = reader.since(-1)
    for number in range(20):
        write(writer, 50.0 + number)
    assert rows['q'][0, 0] == 1.0


def test_whatever_the_state_holds_is_recorded(
    ring: tuple[TelemetryWriter, TelemetryReader],
) -> None:
    writer, reader = ring
    write(writer, float('nan'))
    write(writer)
    assert np.isnan(reader.latest()['q']).all()
