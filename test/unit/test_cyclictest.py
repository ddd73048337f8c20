"""cyclictest, played by a script that prints what it prints."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from id_controller.command_line import check_realtime
from id_controller.errors import InstallationError
from id_controller.realtime import cyclictest
from id_controller.realtime.machine import Fact

HISTOGRAM = """# /dev/cpu_dma_latency set to 0us
# Histogram
000000 000000
000007 000003
000012 {often:06d}
000019 000000
# Min Latencies: 00007
# Avg Latencies: 00011
# Max Latencies: {worst:05d}
# Histogram Overflows: 00000
"""


def printed(often: int = 96, worst: int = 12) -> str:
    return HISTOGRAM.format(often=often, worst=worst)


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cyclictest that notes its arguments and answers with the file ``answer``."""
    script = tmp_path / 'cyclictest'
    script.write_text(
        f'#!{sys.executable}\nimport pathlib, sys\n'
        f'here = pathlib.Path({str(tmp_path)!r})\n'
        "(here / 'arguments').write_text(' '.join(sys.argv[1:]))\n"
        "print((here / 'answer').read_text())\n",
        encoding='utf-8',
    )
    script.chmod(0o755)
    (tmp_path / 'answer').write_text(printed(), encoding='utf-8')
    monkeypatch.setenv('PATH', str(tmp_path))
    return tmp_path


def test_every_wake_up_counts_once() -> None:
    late = cyclictest.lateness_from(printed())
    assert sorted(late) == 3 * [7.0] + 96 * [12.0]


def test_what_lies_beyond_the_histogram_counts_as_its_maximum() -> None:
    assert cyclictest.lateness_from(printed(worst=31_234)).max() == 31_234.0


def test_quantiles_are_those_of_the_wake_ups() -> None:
    found = cyclictest.quantiles(np.array(1900 * [12.0] + 95 * [40.0] + 5 * [700.0]))
    # The bins are 2 % wide.
    assert [found.p50, found.p99, found.p999, found.max] == pytest.approx(
        [12.0, 40.0, 700.0, 700.0], rel=0.02
    )


@pytest.mark.parametrize('text', ['', '# Histogram\n', '# Histogram\n000003 000000\n'])
def test_no_histogram_is_an_error(text: str) -> None:
    with pytest.raises(InstallationError, match='no histogram'):
        cyclictest.lateness_from(text)


def test_it_runs_at_the_rate_and_priority(played: Path) -> None:
    late = cyclictest.measure(2000, 1.5, 48)
    assert len(late) == 99
    asked = (played / 'arguments').read_text().split()
    assert {'--interval=500', '--loops=3000', '--priority=48', '--mlockall'} <= set(asked)


def test_where_it_is_missing_the_error_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv('PATH', str(tmp_path))
    with pytest.raises(InstallationError, match='sudo apt install rt-tests'):
        cyclictest.measure(1000, 1.0, 50)


def test_its_own_words_come_in_one_line(played: Path) -> None:
    (played / 'cyclictest').write_text('#!/bin/sh\necho "one\ntwo" >&2\nexit 3\n')
    with pytest.raises(InstallationError, match='^cyclictest: one two$'):
        cyclictest.measure(1000, 1.0, 50)


@pytest.mark.parametrize(('worst', 'granted', 'code', 'text'), [
    (12, True, 0, 'fine'), (480, True, 1, 'above a tenth'), (480, False, 0, 'needs SCHED_FIFO'),
])
def test_the_check_judges_the_figure(
    played: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    worst: int, granted: bool, code: int, text: str,
) -> None:
    (played / 'answer').write_text(printed(often=2, worst=worst), encoding='utf-8')
    monkeypatch.setattr(check_realtime, 'can_be_scheduled', lambda _priority: granted)
    monkeypatch.setattr(check_realtime, 'facts', lambda _priority: [Fact(name='a', value='b')])
    assert check_realtime.run() == code
    assert text in capsys.readouterr().out
