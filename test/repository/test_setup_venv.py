"""What ``make setup`` says of a machine on which it cannot work."""
from __future__ import annotations

import importlib.util
import runpy
from types import SimpleNamespace
from typing import Any

import pytest
from sources import ROOT


@pytest.fixture
def setup_venv() -> Any:
    functions = runpy.run_path(str(ROOT / 'tools' / 'setup_venv.py'), run_name='setup_venv')
    return SimpleNamespace(**functions)


@pytest.mark.parametrize('version', [(3, 9, 18), (3, 14, 0), (4, 0, 0)])
def test_refuses_a_python_without_wheels(
    setup_venv: Any, monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int]
) -> None:
    monkeypatch.setattr('sys.version_info', version)
    with pytest.raises(SystemExit, match=rf'is {version[0]}\.{version[1]}; .*PYTHON=python3\.1'):
        setup_venv.refuse_interpreter()


def test_refuses_a_python_without_ensurepip(
    setup_venv: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr('sys.version_info', (3, 11, 2))
    monkeypatch.setattr(importlib.util, 'find_spec', lambda name: None)
    with pytest.raises(SystemExit, match='sudo apt install python3-venv'):
        setup_venv.refuse_interpreter()


@pytest.mark.parametrize(
    ('system', 'machine'), [('Linux', 'aarch64'), ('Darwin', 'x86_64'), ('Darwin', 'arm64')]
)
def test_refuses_a_machine_without_wheels(
    setup_venv: Any, monkeypatch: pytest.MonkeyPatch, system: str, machine: str
) -> None:
    monkeypatch.setattr('platform.system', lambda: system)
    monkeypatch.setattr('platform.machine', lambda: machine)
    with pytest.raises(SystemExit, match=f'{system} on {machine}; .*colcon'):
        setup_venv.refuse_machine()


def test_accepts_what_the_wheels_are_for(
    setup_venv: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr('platform.system', lambda: 'Linux')
    monkeypatch.setattr('platform.machine', lambda: 'x86_64')
    setup_venv.refuse_machine()
    monkeypatch.setattr(importlib.util, 'find_spec', lambda name: object())
    for minor in (10, 11, 12, 13):
        monkeypatch.setattr('sys.version_info', (3, minor, 0))
        setup_venv.refuse_interpreter()
