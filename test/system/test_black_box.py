"""A fault and a lost process leave a file that says what happened."""
from __future__ import annotations

from pathlib import Path

import numpy as np
from nodes import Robot

from id_controller.command_line.report_text import fault_index
from id_controller.realtime.black_box import Recording, load
from id_controller.state import Mode

JOINTS = [f'joint{k}' for k in range(1, 8)]


def written(run: Robot) -> Recording:
    return load(Path(run.wait_for_event('black box: ').removeprefix('black box: ')))


def boxed(folder: Path) -> tuple[str, ...]:
    return '-p', f'black_box.folder:={folder / "box"}', '-p', 'black_box.files:=1'


def test_b25_states_that_end_are_in_the_black_box(tmp_path: Path) -> None:
    with Robot(tmp_path, controller=boxed(tmp_path)) as run:
        run.wait_for_event('mode HOLD')
        run.send([3.0], [[0.5, 0.3, 0.2, 0.8, 0.1, 0.2, 0.3]], JOINTS)
        run.wait_for_event('mode TRACK')
        run.listen(0.6)
        run.kill('simulator')
        run.wait_for_event('mode FAULT')
        found = written(run)
    assert (found.facts.fault, found.facts.robot) == ('STATE_STALE', 'arm7')
    assert found.facts.parameters['joints'] == JOINTS
    at = fault_index(found.rows)
    assert set(found.rows['mode'][at - 200 : at]) == {Mode.TRACK}
    assert set(found.rows['mode'][at:]) == {Mode.FAULT}
    # States are old at the fault, and what was done for 0.5 s after it is there.
    assert found.rows['age_ns'][at] > 250e6
    assert len(found.rows) - at > 350
    assert np.abs(found.rows['tau'][-1]).max() < 1.0, 'gravity has decayed'


def test_a_killed_control_process_leaves_its_last_ticks(tmp_path: Path) -> None:
    with Robot(tmp_path, controller=boxed(tmp_path)) as run:
        run.wait_for_event('mode HOLD')
        run.listen(0.5)
        run.kill('control')
        found = written(run)
        assert len(list((tmp_path / 'box').iterdir())) == 1
    assert found.facts.fault == 'CONTROL_LOST'
    assert 'control process' in found.facts.cause
    assert found.rows['mode'][-1] == Mode.HOLD
    assert len(found.rows) > 300
