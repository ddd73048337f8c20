"""``id_controller send`` as a person types it, to a controller and a simulator over DDS."""
from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from nodes import TIMEOUT_S, Robot

MAIN = 'import sys; from id_controller.command_line.main import main; sys.exit(main())'
JOINTS = [f'joint{k}' for k in range(1, 8)]
FILE = """\
time,joint1,joint2,joint3,joint4,joint5,joint6,joint7
0.5,0.05,0.05,0.1,1.1,0.05,0.1,0.1
1.5,0.15,-0.1,0.2,1.0,-0.15,0.25,-0.3
"""
AT_FILE = [0.15, -0.1, 0.2, 1.0, -0.15, 0.25, -0.3]


def send(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, '-c', MAIN, 'send', *map(str, words)],
        capture_output=True, text=True, timeout=60, check=False,
    )


def test_what_is_sent_is_done_or_refused_with_the_reason(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        done = send('pose', 'joint1=0.4', 'joint3=-0.2', '--time', 1, '--wait')
        assert done.returncode == 0, done
        assert done.stdout.startswith('trajectory accepted: 1 points, 1.000 s\n')
        assert done.stderr == ''
        run.listen(0.2)
        assert np.abs(run.q(JOINTS) - [0.4, 0.0, -0.2, 1.2, 0.0, 0.0, 0.0]).max() < 0.01

        refused = send('pose', 'joint2=9')
        assert refused.returncode == 2, refused
        assert refused.stdout == ''
        assert "refused: point 0, joint 'joint2', position: got 9, expected" in refused.stderr

        (tmp_path / 'm.csv').write_text(FILE)
        dry = send('file', tmp_path / 'm.csv', '--dry-run')
        assert dry.returncode == 0, dry
        assert dry.stdout.startswith('accepted: 2 points, 1.500 s, linear')
        assert ' 0.400 ' in dry.stdout, 'it starts from where the reference is'
        done = send('file', tmp_path / 'm.csv')
        assert done.returncode == 0, done
        run.listen(0.2)
        assert np.abs(run.q(JOINTS) - AT_FILE).max() < 0.01


def test_a_motion_that_is_held_or_stopped_is_not_done(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        process = subprocess.Popen(
            [sys.executable, '-c', MAIN, 'send', 'motion', 'sine', '--duration', '30'],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        run.wait_for_event('mode TRACK')
        run.listen(1.0)
        held = send('hold')
        assert (held.returncode, held.stdout) == (0, 'hold: holds\n'), held
        _, said = process.communicate(timeout=TIMEOUT_S)
        assert process.returncode == 1, said
        assert said.startswith('not done: ')

        assert send('stop').stdout == 'stop: stopped\n'
        run.wait_for_event('mode SOFT_STOP')
        refused = send('pose', 'joint1=0')
        assert refused.returncode == 2, refused
        assert 'the controller is in SOFT_STOP, expected HOLD or TRACK' in refused.stderr
        run.wait(lambda: np.abs(run.v(JOINTS)).max() < 0.01, 'standing still')
        assert send('reset').returncode == 0
        run.wait_for_event('mode HOLD')
        assert send('pose', 'joint1=0', '--no-wait').returncode == 0


def test_without_a_controller_it_says_so() -> None:
    for words in (['hold'], ['pose', 'joint1=0'], ['pose', 'joint1=0', '--dry-run']):
        done = send(*words, '--timeout', 0.5, '--controller', '/nobody')
        assert done.returncode == 2, done
        assert 'waited 0.5 s for /nobody' in done.stderr
        assert 'is it running on this ROS domain?' in done.stderr


def test_the_jog_needs_a_terminal() -> None:
    done = subprocess.run(
        [sys.executable, '-c', MAIN, 'send', 'jog'], stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60, check=False,
    )
    assert done.returncode == 2
    assert 'standard input is no terminal' in done.stderr


@pytest.mark.parametrize(('last', 'code'), [('\x03', 130)])
def test_keys_move_a_joint_and_whoever_leaves_leaves_it_holding(
    tmp_path: Path, last: str | None, code: int
) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        child, terminal = pty.fork()
        if not child:
            os.execv(sys.executable, [sys.executable, '-c', MAIN, 'send', 'jog'])
        until(terminal, 'step 0.05')
        os.write(terminal, b'2\x1b[A\x1b[A1-')
        run.wait(lambda: abs(run.q(['joint2'])[0] - 0.1) < 0.005, 'joint2 at 0.1')
        run.wait(lambda: abs(run.q(['joint1'])[0] + 0.05) < 0.005, 'joint1 at -0.05')
        run.wait_for_event('mode TRACK')
        run.wait_for_event('mode HOLD')
        os.write(terminal, b'3]]]')
        until(terminal, 'step 0.4')
        os.write(terminal, b'++')
        run.wait_for_event('mode TRACK')
        shown = ''
        if last is None:
            os.close(terminal)
        else:
            os.write(terminal, last.encode())
            shown = until(terminal, '')
            assert 'hold: holds' in shown
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == code, shown
        run.wait(lambda: np.abs(run.v(JOINTS)).max() < 0.01, 'standing still')
        assert run.q(['joint3'])[0] < 0.75, 'held before it was there'


def until(terminal: int, text: str) -> str:
    """Read what is shown until a text has come, or without one to the end."""
    shown, end = '', time.monotonic() + TIMEOUT_S
    while not text or text not in shown:
        assert time.monotonic() < end, shown
        if not select.select([terminal], [], [], 0.05)[0]:
            continue
        try:
            shown += os.read(terminal, 4096).decode(errors='replace')
        except OSError:  # the other end is closed
            break
    return shown
