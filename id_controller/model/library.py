"""
Pinocchio, imported once and checked.

Two installations on one path (ROS and pip) share names but not binaries; the result is a crash
or a message that helps nobody. So the origins are compared before the import.
"""
from __future__ import annotations

import functools
import importlib
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np

from id_controller.errors import InstallationError

OLDEST = (2, 6)
TOO_NEW = (5, 0)
# Bindings that are one binary family and must come from one installation.
_FAMILY = ('pinocchio', 'eigenpy', 'coal', 'hppfcl')


@functools.cache
def load_pinocchio() -> ModuleType:
    """
    Import Pinocchio.

    :raises InstallationError: when it is missing, mixed, broken or of an unsupported version.
    """
    check_origins(_found_origins())
    try:
        library = importlib.import_module('pinocchio')
    # A clash of binaries shows as whatever the loader meets first.
    except (ImportError, AttributeError, RuntimeError, SystemError) as error:
        raise InstallationError(
            f'pinocchio cannot be imported: {error}; pinocchio: {_origin("pinocchio")}, '
            f'numpy {np.__version__}: {np.__file__}; they and their libraries must be built for '
            'each other: install them all with pip in one new virtual environment, or all from ROS'
        ) from error
    check_version(str(getattr(library, '__version__', '')), str(library.__file__))
    return library


def pinocchio_origin() -> str:
    """Say which Pinocchio is in use: version and folder."""
    library = load_pinocchio()
    return f'pinocchio {library.__version__} ({Path(str(library.__file__)).parent})'


def check_version(version: str, origin: str) -> None:
    """
    Check that a version of Pinocchio is one this package was made for.

    :raises InstallationError: when it is not.
    """
    numbers = tuple(int(part) for part in re.findall(r'\d+', version)[:2])
    if not OLDEST <= numbers < TOO_NEW:
        raise InstallationError(
            f"pinocchio: got version '{version}' ({origin}), expected at least "
            f'{OLDEST[0]}.{OLDEST[1]} and below {TOO_NEW[0]}; pip install pin, or apt install '
            'ros-$ROS_DISTRO-pinocchio (the package named pinocchio on PyPI is another one)'
        )


def check_origins(origins: dict[str, str]) -> None:
    """
    Check that the bindings come from one installation: all from pip, or none.

    :param origins: File of each binding that was found.
    :raises InstallationError: when pinocchio is missing or they are mixed; names both.
    """
    if 'pinocchio' not in origins:
        raise InstallationError(
            'pinocchio is not installed; pip install pin, or apt install '
            'ros-$ROS_DISTRO-pinocchio'
        )
    from_pip = {name: 'cmeel.prefix' in Path(file).parts for name, file in origins.items()}
    for name, file in origins.items():
        if from_pip[name] != from_pip['pinocchio']:
            raise InstallationError(
                f'two installations are mixed: pinocchio is {origins["pinocchio"]} but {name} is '
                f'{file}; uninstall the pip package pin, or start without the other one in '
                'PYTHONPATH'
            )


def _found_origins() -> dict[str, str]:
    found = {name: _origin(name) for name in _FAMILY}
    return {name: origin for name, origin in found.items() if origin}


def _origin(name: str) -> str:
    if name in sys.modules:
        return str(getattr(sys.modules[name], '__file__', '') or '')
    spec = importlib.util.find_spec(name)
    return str(spec.origin or '') if spec is not None else ''
