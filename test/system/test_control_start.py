"""How a control process is started."""
from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from control_pair import RAMP_TIME_S, Pair, has_ended, started_pairs

from id_controller.errors import InstallationError
from id_controller.realtime.loop import Ending
from id_controller.realtime.process import spawn_control
from id_controller.state import Mode


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Pair]]:
    yield from started_pairs(tmp_path, monkeypatch)


def test_a_stray_module_in_the_working_directory_is_not_imported(
    pair: Callable[..., Pair], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ('numpy', 'json', 'id_controller', 'control_child'):
        (tmp_path / f'{name}.py').write_text('raise SystemExit(77)\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'path', ['', *sys.path])
    both = pair()
    both.wait_for_mode(Mode.HOLD)


def test_a_restart_of_the_interpreter_keeps_the_ends(pair: Callable[..., Pair]) -> None:
    """The wheels start the interpreter anew where this variable is not set."""
    environment = dict(os.environ)
    environment.pop('_ROS_WHEELS_BOOTSTRAP_COMPLETE', None)
    both = pair(environment=environment)
    both.wait_for_mode(Mode.HOLD)
    both.process.terminate()
    assert both.process.wait(RAMP_TIME_S + 1.0) == Ending.DONE


def test_the_control_process_does_not_get_the_ctrl_c_of_the_terminal(
    pair: Callable[..., Pair],
) -> None:
    both = pair()
    assert os.getsid(both.process.pid) == both.process.pid != os.getsid(0)


def test_a_control_process_is_started_by_the_main_thread_only() -> None:
    refused: list[Exception] = []

    def start() -> None:
        try:
            spawn_control(0, 1, 2)
        except InstallationError as error:
            refused.append(error)

    thread = threading.Thread(target=start, name='other')
    thread.start()
    thread.join()
    assert "started from thread 'other', expected the main thread" in str(refused[0])


def test_b90_the_kernel_ends_an_armed_process_with_its_parent() -> None:
    """Without any mailbox: the parent-death signal alone."""
    child = (
        'import os, sys, time; from id_controller.realtime.process import arm_parent_death; '
        'print(os.getpid() if arm_parent_death(int(sys.argv[1])) else 0, flush=True); '
        'time.sleep(60)'
    )
    parent = (
        'import os, subprocess, sys; '
        f'subprocess.run([sys.executable, "-c", {child!r}, str(os.getpid())])'
    )
    with subprocess.Popen([sys.executable, '-c', parent], stdout=subprocess.PIPE) as process:
        armed = os.pidfd_open(int(process.stdout.readline()))
        process.kill()
        assert has_ended(armed, 5.0)
    os.close(armed)


def test_a_process_whose_parent_is_gone_already_does_not_start(
    pair: Callable[..., Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, 'getpid', lambda: 1)
    assert pair().process.wait(20.0) == 3
