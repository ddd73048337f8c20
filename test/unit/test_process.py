"""How processes are asked to end, and how they are made to."""
from __future__ import annotations

import os
import signal
import subprocess
import sys

from id_controller.realtime.process import StopSignals, fence


def test_stop_signals_are_a_flag() -> None:
    before = {each: signal.getsignal(each) for each in (2, 15, 1)}
    try:
        stop = StopSignals()
        assert not stop()
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_fencing_a_process_that_has_ended_is_no_error() -> None:
    ended = subprocess.Popen([sys.executable, '-c', 'pass'])
    ended.wait()
    assert fence(ended)
    assert ended.returncode == 0


def test_fencing_ends_what_ignores_every_signal() -> None:
    code = (
        'import signal, time; signal.signal(15, signal.SIG_IGN); signal.signal(2, signal.SIG_IGN);'
        ' print(flush=True); time.sleep(60)'
    )
    deaf = subprocess.Popen([sys.executable, '-c', code], stdout=subprocess.PIPE)
    deaf.stdout.readline()
    deaf.stdout.close()
    deaf.terminate()
    assert fence(deaf)
    assert deaf.wait(5.0) == -signal.SIGKILL
