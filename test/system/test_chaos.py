"""A short chaos holds, and says what it did."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from id_controller.chaos.observer import read_trace

MAIN = 'import sys; from id_controller.command_line.main import main; sys.exit(main())'


def test_everything_holds_for_a_while(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, '-c', MAIN, 'chaos', '--minutes', '0.12', '--output', str(tmp_path),
         '--only', 'not_a_number', 'kill_control', 'bad_trajectories', 'kill_in_exit'],
        capture_output=True, text=True, timeout=110, check=False,
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert 'private ROS domain' in done.stdout
    assert ' 0 violations' in done.stdout
    trace = read_trace(tmp_path / 'commands.bin', 7)
    assert len(trace.tau) > 3000
    assert len(set(trace.writer.tolist())) >= 2, 'the host has commanded too'
    assert (tmp_path / 'schedule.jsonl').read_text().count('kill_control') >= 1
