"""What a demo run amounts to, from recordings made up by hand."""
from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from id_controller.command_line.demo_data import ControllerTiming, Phase, PlantTiming, Run
from id_controller.command_line.demo_report import (
    as_json,
    timing_table,
    torque_share,
    tracking,
    tracking_table,
    verdict,
)
from id_controller.command_line.text_table import number, text_table

TIMING = ControllerTiming(
    achieved_rate_hz=999.5, lateness_p50_us=61.0, lateness_p99_us=187.0, compute_p50_us=52.0,
    compute_p99_us=93.0, state_age_p99_us=1410.0, skipped=3.0, overruns=1.0,
)
PLANT = PlantTiming(achieved_rate_hz=998.25, real_time_factor=0.9985)


def phase(control_mode: str, **changes: Any) -> Phase:
    """Errors of joint a: 3, -4 mrad; of joint b: 1, 1 mrad."""
    facts: dict[str, Any] = {
        'control_mode': control_mode,
        'times': np.array([0.0, 1.0]),
        'q_ref': np.array([[0.103, 0.201], [0.496, 0.401]]),
        'q': np.array([[0.1, 0.2], [0.5, 0.4]]),
        'tau': np.array([[5.0, -2.0], [4.0, 3.0]]),
        'terms': {'inverse_dynamics': np.array([[5.0, -2.0], [4.0, 3.0]])},
        'periods_ms': np.array([1.0, 1.1, 0.9]),
        'peak_tau': np.array([6.0, 3.0]),
        'controller': TIMING,
        'plant': PLANT,
    }
    return Phase(**{**facts, **changes})


def run(*phases: Phase) -> Run:
    return Run(
        robot='toy', joints=('a', 'b'), units=('rad', 'm'), effort_limit=np.array([10.0, 12.0]),
        rate_hz=1000.0, phases=phases or (phase('feedforward'), phase('gravity_pd')),
    )


def test_tracking_is_rms_and_largest_by_joint() -> None:
    result = tracking(phase('feedforward'))
    np.testing.assert_allclose(result.rms, [math.sqrt(12.5e-6), 1e-3])
    np.testing.assert_allclose(result.largest, [4e-3, 1e-3])
    assert result.overall == pytest.approx(math.sqrt(27e-6 / 4))


def test_torque_share_is_of_the_peak_over_all_commands() -> None:
    np.testing.assert_allclose(torque_share(run(), phase('feedforward')), [0.6, 0.25])


def test_a_joint_without_effort_limit_takes_no_share() -> None:
    unlimited = dataclasses.replace(run(), effort_limit=np.array([math.inf, 12.0]))
    np.testing.assert_allclose(torque_share(unlimited, unlimited.phases[0]), [0.0, 0.25])


def test_a_joint_of_no_effort_fails_only_when_it_was_sent_some() -> None:
    still = dataclasses.replace(
        run(phase('feedforward', peak_tau=np.array([6.0, 0.0]))),
        effort_limit=np.array([10.0, 0.0]),
    )
    assert verdict(still).failure == ''
    moved = dataclasses.replace(still, phases=(phase('feedforward'),))
    assert 'b was sent 3.00, over its effort limit of 0.00' in verdict(moved).failure


def test_a_good_run_passes() -> None:
    assert verdict(run()).failure == ''
    assert verdict(run()).warnings == ()


@pytest.mark.parametrize(
    ('changes', 'reason'),
    [
        ({'q': np.array([[0.1, 0.2], [0.53, 0.4]])}, 'tracking error is 17.1 mrad RMS'),
        ({'peak_tau': np.array([10.01, 3.0])}, 'a was sent 10.01, over its effort limit of 10.00'),
        ({'peak_tau': np.array([math.nan, 3.0])}, 'not finite'),
        ({'q': np.array([[0.1, math.inf], [0.5, 0.4]])}, 'not finite'),
        ({'fault': 'STATE_STALE'}, 'the controller reported STATE_STALE'),
        ({'times': np.array([])}, 'no motion was recorded'),
    ],
)
def test_a_bad_run_fails_with_one_sentence(changes: dict[str, Any], reason: str) -> None:
    failure = verdict(run(phase('feedforward', **changes), phase('gravity_pd'))).failure
    assert reason in failure
    assert failure.startswith('feedforward: ')
    assert '\n' not in failure


def test_poor_tracking_of_gravity_pd_is_what_the_demo_shows_and_no_failure() -> None:
    poor = phase('gravity_pd', q=np.array([[0.1, 0.2], [0.53, 0.4]]))
    assert verdict(run(phase('feedforward'), poor)).failure == ''


@pytest.mark.parametrize('rate', [980.0, math.nan])
def test_a_poor_rate_is_a_warning(rate: float) -> None:
    slow = dataclasses.replace(TIMING, achieved_rate_hz=rate)
    result = verdict(run(phase('feedforward', controller=slow)))
    assert result.failure == ''
    assert len(result.warnings) == 1
    assert 'of 1000 Hz' in result.warnings[0]


def test_a_slow_plant_is_not_blamed_on_the_controller() -> None:
    slow = dataclasses.replace(PLANT, real_time_factor=0.9)
    (warning,) = verdict(run(phase('feedforward', plant=slow))).warnings
    assert 'plant ran at 0.90 of real time' in warning


def test_tracking_table_has_a_row_for_each_joint_in_its_unit() -> None:
    lines = tracking_table(run()).splitlines()
    assert lines[2].split() == ['a', '[mrad]', *['3.54', '4.00', '60', '%'] * 2]
    assert lines[3].split() == ['b', '[mm]', *['1.00', '1.00', '25', '%'] * 2]
    assert lines[4].split() == ['all', 'joints', *['2.60', '4.00', '60', '%'] * 2]


def test_timing_table_tells_controller_from_plant() -> None:
    rows = [line.split() for line in timing_table(run(phase('feedforward'))).splitlines()]
    assert ['state', 'age', 'p99', '[us]', '1410'] in rows
    assert ['skipped', 'ticks', '3'] in rows
    assert ['plant:', 'state', 'rate', '[Hz]', '998.2'] in rows


def test_json_holds_the_figures_and_nothing_that_json_cannot_say() -> None:
    unlimited = dataclasses.replace(run(), effort_limit=np.array([math.inf, 12.0]))
    facts = json.loads(json.dumps(as_json(unlimited), allow_nan=False))
    assert facts['effort_limit'] == [None, 12.0]
    assert facts['phases'][0]['max_error'] == pytest.approx([4e-3, 1e-3])
    assert facts['phases'][1]['plant']['real_time_factor'] == 0.9985
    assert facts['failure'] == ''


def test_json_of_a_run_without_recording_is_still_json() -> None:
    empty = as_json(run(phase('feedforward', times=np.array([]))))
    assert json.loads(json.dumps(empty, allow_nan=False))['phases'][0]['samples'] == 0


def test_picture_is_written(tmp_path: Path) -> None:
    pytest.importorskip('matplotlib')
    from id_controller.command_line.demo_plot import save_plot

    save_plot(run(), tmp_path / 'demo.png')
    assert (tmp_path / 'demo.png').read_bytes().startswith(b'\x89PNG')


def test_picture_of_an_empty_recording_is_written(tmp_path: Path) -> None:
    pytest.importorskip('matplotlib')
    from id_controller.command_line.demo_plot import save_plot

    none = {'times': np.zeros(0), 'periods_ms': np.zeros(0)}
    none |= {name: np.zeros((0, 2)) for name in ('q_ref', 'q', 'tau')}
    save_plot(run(phase('feedforward', terms={}, **none)), tmp_path / 'demo.png')
    assert (tmp_path / 'demo.png').exists()


def test_text_table_aligns_its_columns() -> None:
    assert text_table(['name', 'n'], [['a', '1'], ['bcdef', '23']], indent=0).splitlines() == [
        'name    n', '-----  --', 'a       1', 'bcdef  23',
    ]


def test_number_has_words_for_what_is_not_finite() -> None:
    assert [number(value) for value in (1.005, math.nan, math.inf)] == ['1.00', '-', 'none']
