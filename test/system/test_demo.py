"""The demo as a person runs it: real processes, real DDS, and nothing left behind."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip('matplotlib')
pytest.importorskip('tqdm')

MAIN = (
    'import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); '
    'from id_controller.command_line.main import main; sys.exit(main())'
)
MARK = 'ID_CONTROLLER_TEST_MARK'


class Demo:
    """A demo in a process, with a mark in its environment that all it starts inherit."""

    def __init__(self, output: Path, duration_s: float) -> None:
        self.output = output
        self._mark = f'{MARK}={uuid.uuid4()}'
        name, _, value = self._mark.partition('=')
        self.process = subprocess.Popen(
            [sys.executable, '-c', MAIN, 'demo', '--duration', str(duration_s),
             '--output', str(output), '--domain', os.environ['ROS_DOMAIN_ID']],
            env={**os.environ, name: value}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )

    def family(self) -> dict[int, str]:
        """Command lines of all living processes that carry the mark."""
        found = {}
        for folder in Path('/proc').glob('[0-9]*'):
            try:
                marked = self._mark.encode() in (folder / 'environ').read_bytes().split(b'\0')
                command = (folder / 'cmdline').read_bytes().decode(errors='replace')
            except OSError:
                continue
            if marked and command:
                found[int(folder.name)] = command
        return found

    def member(self, words: str) -> int:
        """Id of the process that runs something, 0 when there is none."""
        return next((pid for pid, line in self.family().items() if words in line), 0)

    def log(self, name: str) -> str:
        path = self.output / f'{name}.log'
        return path.read_text(encoding='utf-8') if path.exists() else ''

    def logs(self) -> str:
        return '\n'.join(f'{name}:\n{self.log(name)}' for name in ('simulator', 'controller'))

    def moving(self) -> bool:
        return 'mode TRACK' in self.log('controller')


def wait_for(
    condition: Callable[[], object], timeout_s: float, what: str, logs: Callable[[], str] = str
) -> None:
    end = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > end:
            pytest.fail(f'waited {timeout_s} s for {what}\n{logs()}')
        time.sleep(0.02)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    started = Demo(tmp_path / 'report', 60.0)
    try:
        wait_for(started.moving, 30.0, 'the arm to move', started.logs)
        yield started
    finally:
        for pid in started.family():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        started.process.communicate(timeout=10.0)


def test_demo_tracks_and_reports(tmp_path: Path) -> None:
    run = Demo(tmp_path / 'report', 6.0)
    out, err = run.process.communicate(timeout=60.0)
    assert run.process.returncode == 0, out + err
    assert run.family() == {}
    facts = json.loads((run.output / 'demo.json').read_text(encoding='utf-8'))
    feedforward, gravity_pd = facts['phases']
    assert feedforward['control_mode'] == 'feedforward'
    assert gravity_pd['control_mode'] == 'gravity_pd'
    assert feedforward['samples'] > 300
    assert feedforward['rms_error_all_joints'] < 0.010
    assert max(feedforward['peak_torque_over_limit']) < 1.0
    assert (run.output / 'demo.png').read_bytes().startswith(b'\x89PNG')
    assert 'joint7 [mrad]' in out
    assert 'control rate [Hz], wanted 1000' in out


@pytest.mark.parametrize(('number', 'code'), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_demo_leaves_nothing_behind(
    demo: Demo, number: signal.Signals, code: int
) -> None:
    assert len(demo.family()) >= 4
    demo.process.send_signal(number)
    _, err = demo.process.communicate(timeout=15.0)
    assert demo.process.returncode == code
    assert 'Traceback' not in err
    wait_for(lambda: not demo.family(), 3.0, 'the family to end')


def test_killed_demo_leaves_nothing_behind(demo: Demo) -> None:
    demo.process.kill()
    wait_for(lambda: not demo.family(), 10.0, 'the family to end')


@pytest.mark.parametrize('name', ['simulator', 'controller'])
def test_demo_says_which_process_died(demo: Demo, name: str) -> None:
    module = {'simulator': 'ros.simulator_node', 'controller': 'ros.host_process'}[name]
    os.kill(demo.member(module), signal.SIGKILL)
    out, err = demo.process.communicate(timeout=15.0)
    assert demo.process.returncode == 2, out + err
    assert f'error: {name} ended with code -9' in err
    assert 'Traceback' not in err
    wait_for(lambda: not demo.family(), 10.0, 'the family to end')
