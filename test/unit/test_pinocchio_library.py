"""Pinocchio: which versions and installations are accepted."""
from __future__ import annotations

import importlib

import pytest

from id_controller.errors import InstallationError
from id_controller.model import library
from id_controller.model.library import (
    check_origins,
    check_version,
    load_pinocchio,
    pinocchio_origin,
)

PIP = '/venv/lib/python3.11/site-packages/cmeel.prefix/lib/python3.11/site-packages/'
ROS = '/opt/ros/jazzy/lib/python3.12/site-packages/'


def test_b66_origin_names_version_and_folder() -> None:
    pinocchio = load_pinocchio()
    assert pinocchio.__version__ in pinocchio_origin()
    assert str(pinocchio.__file__).removesuffix('/__init__.py') in pinocchio_origin()


@pytest.mark.parametrize('version', ['2.6.0', '2.7.1', '3.4.0', '4.1.0', '4.99.3'])
def test_accepted_versions(version: str) -> None:
    check_version(version, 'here')


@pytest.mark.parametrize('version', ['2.5.9', '5.0.0', '0.4.3', ''])
def test_b66_refused_versions(version: str) -> None:
    with pytest.raises(InstallationError) as refusal:
        check_version(version, '/some/where')
    for word in (f"'{version}'", '/some/where', '2.6', 'below 5', 'pip install pin'):
        assert word in str(refusal.value)


@pytest.mark.parametrize('prefix', [PIP, ROS])
def test_one_installation_is_fine(prefix: str) -> None:
    names = ('pinocchio', 'eigenpy', 'coal')
    check_origins({name: f'{prefix}{name}/__init__.py' for name in names})


@pytest.mark.parametrize(('one', 'other'), [(PIP, ROS), (ROS, PIP)])
def test_b66_mixed_installations_are_refused_before_the_import(one: str, other: str) -> None:
    origins = {
        'pinocchio': f'{one}pinocchio/__init__.py', 'eigenpy': f'{other}eigenpy/__init__.py'
    }
    with pytest.raises(InstallationError) as refusal:
        check_origins(origins)
    for origin in origins.values():
        assert origin in str(refusal.value)


def test_missing_installation_says_how_to_get_it() -> None:
    with pytest.raises(InstallationError, match='pip install pin'):
        check_origins({})


def test_b66_broken_import_names_both_origins(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise ImportError('numpy.core.multiarray failed to import')

    monkeypatch.setattr(importlib, 'import_module', broken)
    monkeypatch.setattr(library, '_origin', lambda name: f'/origin/of/{name}')
    with pytest.raises(InstallationError) as refusal:
        load_pinocchio.__wrapped__()
    for word in ('multiarray failed', '/origin/of/pinocchio', 'numpy/__init__.py'):
        assert word in str(refusal.value)
