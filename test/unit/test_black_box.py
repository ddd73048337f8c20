"""Files of the black box: whole or refused, and what is read out of them."""
from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from id_controller.command_line.main import main
from id_controller.command_line.report_text import fault_index, report_text, seconds
from id_controller.control.faults import Fault
from id_controller.control.laws import TERMS
from id_controller.errors import RecordingError
from id_controller.realtime.black_box import Facts, Recording, load, save
from id_controller.realtime.layout import Layout
from id_controller.state import Mode

FACTS = Facts(
    fault='TRACKING_ERROR', cause='a joint is too far <b>away</b>', written='2026-12-01T10:15:00',
    joints=('shoulder', 'elbow'), terms=TERMS, effort_limit=(50.0, 30.0), period_s=0.001,
    robot='arm <script>alert(1)</script>', description_sha256='0123456789abcdef' * 4,
    parameters={'gains.elbow.p': 3.5, 'output.topic': '<img src=x>'},
)


def recording() -> Recording:
    """Three quarters of a second in motion, then a fault: the elbow was 0.25 rad away."""
    rows = np.zeros(1000, Layout(n=2, terms=len(TERMS), points_max=2).row)
    rows['tick'] = np.arange(1000)
    rows['steady_ns'] = 10**12 + np.arange(1000) * 10**6
    rows['mode'] = np.where(np.arange(1000) < 750, Mode.TRACK, Mode.FAULT)
    rows['fault'] = np.where(np.arange(1000) < 750, 0, Fault.TRACKING_ERROR)
    rows['q_ref'][:, 1] = np.linspace(0.0, 0.25, 1000)
    rows['tau'][:, 0] = 25.0
    rows['terms'][:, 0, 0] = 25.0
    rows['age_ns'], rows['skipped'][100] = 500_000, 3
    return Recording(facts=FACTS, rows=rows)


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    given = recording()
    save(given, tmp_path / 'a.npz')
    found = load(tmp_path / 'a.npz')
    assert found.facts == given.facts
    for name in given.rows.dtype.names or ():
        assert np.array_equal(found.rows[name], given.rows[name]), name
    assert [path.name for path in tmp_path.iterdir()] == ['a.npz']
    assert (tmp_path / 'a.npz').stat().st_size < 100_000


def test_what_is_no_recording_is_refused(tmp_path: Path) -> None:
    good = tmp_path / 'good.npz'
    save(recording(), good)
    names = ('torn', 'text', 'other', 'old')
    torn, text, other, old = (tmp_path / f'{name}.npz' for name in names)
    torn.write_bytes(good.read_bytes()[:-2000])
    text.write_text('hello')
    np.savez(other, numbers=np.zeros(3))
    facts = {'format': 7, **dataclasses.asdict(FACTS)}
    np.savez(old, facts=np.frombuffer(json.dumps(facts).encode(), np.uint8), rows=np.zeros(3))
    for path in (torn, text, other, tmp_path / 'absent.npz'):
        with pytest.raises(RecordingError, match=f'{path.name}: no recording'):
            load(path)
    with pytest.raises(RecordingError, match='got format 7, expected 1'):
        load(old)


def test_a_recording_of_another_robot_than_its_facts_say_is_refused(tmp_path: Path) -> None:
    wrong = dataclasses.replace(FACTS, joints=('a', 'b', 'c'))
    save(Recording(facts=wrong, rows=recording().rows), tmp_path / 'wrong.npz')
    with pytest.raises(RecordingError, match=r'shape \(1000, 2\), expected 3 joints'):
        load(tmp_path / 'wrong.npz')


def test_the_report_says_what_happened() -> None:
    given = recording()
    text = report_text(given)
    assert fault_index(given.rows) == 750
    assert seconds(given.rows)[[0, 750, 999]] == pytest.approx([-0.75, 0.0, 0.249])
    assert 'TRACKING_ERROR at 2026-12-01T10:15:00' in text
    lines = {line.split()[0]: line.split() for line in text.splitlines() if line.split()}
    assert lines['+0.000'] == ['+0.000', 'FAULT', 'TRACKING_ERROR']
    assert lines['elbow'][1:4] == ['250.00', '+0.249', '187.69']
    assert lines['shoulder'][-2:] == ['50', '%']
    assert lines['age'][1:] == ['500', '500', '500']
    assert '3 ticks skipped' in text
    empty = Recording(facts=FACTS, rows=given.rows[:0])
    assert report_text(empty).endswith('nothing was recorded')


def test_the_page_stands_alone_and_obeys_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(recording(), tmp_path / 'a.npz')
    assert main(['report', str(tmp_path / 'a.npz')]) == 0
    text = (tmp_path / 'a.html').read_text()
    assert 'data:image/png;base64,iVBOR' in text
    for hostile in ('<script', '<img src=x', '<b>away'):
        assert hostile not in text
    assert 'gains.elbow.p' in text
    assert f'wrote {tmp_path / "a.html"}' in capsys.readouterr().out
    assert main(['report', str(tmp_path / 'a.npz'), '--output', str(tmp_path / 'b.png')]) == 0
    assert (tmp_path / 'b.png').read_bytes().startswith(b'\x89PNG')
    assert main(['report', str(tmp_path / 'a.npz'), '--output', 'c.pdf']) == 2
    assert main(['report', str(tmp_path / 'absent.npz')]) == 2
    assert 'no recording of a black box' in capsys.readouterr().err
