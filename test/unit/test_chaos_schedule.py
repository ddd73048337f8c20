"""The schedule of chaos: the seed alone decides."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from id_controller.chaos.schedule import KINDS, make_schedule, write_schedule
from id_controller.command_line.main import main
from id_controller.errors import ParameterError


def test_the_same_seed_gives_the_same_schedule(tmp_path: Path) -> None:
    one, same, other = (make_schedule(seed, 2.0) for seed in (3, 3, 4))
    assert one == same != other
    write_schedule(one, tmp_path / 'schedule.jsonl')
    lines = [json.loads(line) for line in (tmp_path / 'schedule.jsonl').read_text().splitlines()]
    assert [line['kind'] for line in lines] == [each.kind for each in one]
    assert [line['number'] for line in lines] == list(range(len(one)))


def test_every_kind_comes_before_any_comes_again() -> None:
    kinds = [one.kind for one in make_schedule(1, 5.0)]
    assert set(kinds[: len(KINDS)]) == set(KINDS)
    assert len(kinds) > len(KINDS)
    total = sum(one.pause_s + one.seconds for one in make_schedule(1, 5.0))
    assert 300.0 <= total < 305.0


def test_how_long_processes_are_stopped() -> None:
    for kind, longest in (('stop_control', 1.6), ('stop_host', 1.6), ('stop_simulator', 0.3)):
        lengths = [one.seconds for one in make_schedule(1, 5.0, (kind,))]
        short = [length for length in lengths if length <= 0.3]
        assert 0.005 <= min(short) < 0.05
        assert max(short) > 0.25
        assert max(lengths) <= longest
        assert all(length > 1.0 for length in lengths if length not in short)
        assert (len(short) < len(lengths)) is (longest > 1.0)


def test_only_some_kinds() -> None:
    assert {one.kind for one in make_schedule(1, 1.0, ('drop', 'noise'))} == {'drop', 'noise'}
    with pytest.raises(ParameterError, match="--only: got 'droop', expected some of drop, late"):
        make_schedule(1, 1.0, ('droop',))


def test_the_command_refuses_before_it_starts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['chaos', '--only', 'droop']) == 2
    assert main(['chaos', '--minutes', '0']) == 2
    assert '--minutes: got 0' in capsys.readouterr().err
