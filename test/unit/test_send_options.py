"""The command line of ``send``: what it reads and what it refuses."""
from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from id_controller.command_line.send_options import (
    MOTION_NAMES,
    SendOptions,
    add_send,
    options_from,
)
from id_controller.trajectory.motions import MOTIONS


def read(*words: str) -> SendOptions:
    parser = argparse.ArgumentParser()
    add_send(parser.add_subparsers())
    return options_from(parser.parse_args(['send', *words]))


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        read(*words)
    assert ended.value.code == 2
    return capsys.readouterr().err


def test_a_pose_with_its_defaults() -> None:
    assert read('pose', 'a=0.5', 'b=-3e-1') == SendOptions(
        what='pose', pose=(('a', 0.5), ('b', -0.3)), controller='/id_controller', timeout=10.0,
        wait=True, dry_run=False, time=None, degrees=False,
    )


def test_every_option_of_a_pose() -> None:
    found = read(
        'pose', 'a=1', '--time', '2', '--degrees', '--controller', 'left/arm', '--no-wait',
        '--dry-run', '--plot', 'p.png', '--robot', 'arm7', '--params', 'a.yaml', '--timeout', '3',
    )
    assert found == SendOptions(
        what='pose', pose=(('a', 1.0),), time=2.0, degrees=True, controller='/left/arm',
        wait=False, dry_run=True, plot=Path('p.png'), robot='arm7', params=Path('a.yaml'),
        timeout=3.0,
    )


def test_a_joint_name_may_hold_anything_but_a_number() -> None:
    assert read('pose', 'a=b=1').pose == (('a=b', 1.0),)


def test_a_file() -> None:
    assert read('file', 'm.csv').file == Path('m.csv')


def test_a_motion() -> None:
    found = read('motion', 'sweep', '--fraction', '0.2', '--duration', '9')
    assert (found.what, found.motion) == ('motion', 'sweep')
    assert (found.fraction, found.duration) == (0.2, 9.0)


def test_every_motion_has_its_name() -> None:
    assert set(MOTION_NAMES) == set(MOTIONS)


@pytest.mark.parametrize('name', ['hold', 'stop', 'reset'])
def test_services(name: str) -> None:
    assert read(name, '--controller', '/arm') == SendOptions(what=name, controller='/arm')


def test_the_step_of_jog() -> None:
    assert read('jog', '--step', '0.1') == SendOptions(what='jog', step=0.1)


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (['pose', 'a'], "got 'a', expected JOINT=POSITION with a number, like joint1=0.5"),
        (['pose', 'a=x'], "got 'a=x', expected JOINT=POSITION"),
        (['pose', 'a=nan'], "got 'a=nan', expected JOINT=POSITION"),
        (['pose', '=1'], "got '=1', expected JOINT=POSITION"),
        (['pose'], 'required: JOINT=POSITION'),
        (['pose', 'a=1', '--time', '0'], "got '0', expected a number above 0"),
        (['pose', 'a=1', '--timeout', 'inf'], "got 'inf', expected a number above 0"),
        (['motion', 'sine', '--fraction', '1.5'], "got '1.5', expected a number above 0, up to 1"),
        (['motion', 'dance'], "'dance'"),
        (['jog', '--step', '-1'], "got '-1', expected a number above 0"),
        (['hold', '--dry-run'], '--dry-run'),
        ([], 'required: WHAT'),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert said in refused(capsys, *words)
