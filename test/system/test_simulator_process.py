from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest
from simulator_bench import ROBOT
from urdf_text import joint, limits, link, robot

GOOD = ('-p', 'joints:=[one, two]', '-p', f"robot_description:='{ROBOT}'")


def start(*arguments: str) -> subprocess.Popen[str]:
    program = [sys.executable, '-m', 'id_controller.ros.simulator_node', '--ros-args']
    return subprocess.Popen(
        [*program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def end(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    try:
        output, errors = process.communicate(timeout=30.0)
    finally:
        process.kill()
    return process.returncode, output, errors


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_a_summary(number: signal.Signals) -> None:
    process = start(*GOOD)
    assert process.stderr is not None
    for line in process.stderr:
        if 'stands at one 0.000, two 5.000' in line:
            break
    process.send_signal(number)
    sent = time.monotonic()
    code, output, errors = end(process)
    assert time.monotonic() - sent < 5.0
    assert code == 0
    assert 'id_controller_sim: simulated' in output
    assert 'Traceback' not in errors


@pytest.mark.parametrize(('arguments', 'message'), [
    (('-p', 'joints:=[one]', '-p', 'robot_description_file:=/nowhere.urdf'), '/nowhere.urdf'),
    ((*GOOD, '-p', 'state_rate:=fast'), "state_rate: got 'fast' (str), expected a whole number"),
    ((*GOOD, '-p', 'lockstep'), "command line: Couldn't parse parameter override rule"),
    ((*GOOD, '--params-file', '/nowhere.yaml'), '/nowhere.yaml: cannot read the parameter file'),
])
def test_bad_input_ends_in_one_message(arguments: tuple[str, ...], message: str) -> None:
    code, output, errors = end(start(*arguments))
    assert code == 2
    assert output == ''
    ours = [line for line in errors.splitlines() if line.startswith('id_controller_sim: ')]
    assert len(ours) == 1
    assert message in ours[0]
    assert 'Traceback' not in errors


def test_a_simulation_that_diverges_ends_with_the_reason() -> None:
    text = robot(
        link('base'), link('a', 1.0),
        joint('one', 'prismatic', 'base', 'a', '1 0 0', extra=limits(-3, 3)),
    )
    code, output, errors = end(start(
        '-p', 'joints:=[one]', '-p', f"robot_description:='{text}'", '-p', 'brakes:=false',
        '-p', 'on_command_loss:=zero', '-p', 'gravity:=[1.0e+300, 0.0, 0.0]',
    ))
    assert code == 1
    assert 'the simulation diverged at 0.0' in errors
    assert 'id_controller_sim: simulated' in output
    assert 'Traceback' not in errors
