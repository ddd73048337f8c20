"""MuJoCo, imported in one place with its version checked."""
from __future__ import annotations

import re
from typing import Any

from id_controller.errors import InstallationError

OLDEST = (3, 3)
DEFECTIVE = (4, 0, 0)
_FIX = "install it with: pip install 'mujoco-core==4.0.1' (or: pip install '.[sim]')"


def load_mujoco() -> Any:
    """
    Import MuJoCo and keep it from writing a log file into the working directory.

    :raises InstallationError: when it is missing, does not load, or is a version not to be used;
        4.0.0 has a defect in its sparse Cholesky factor (release notes of 4.0.1).
    """
    try:
        import mujoco
    except ImportError as error:
        raise InstallationError(f'MuJoCo cannot be imported ({error}); {_FIX}') from error
    version = tuple(int(part) for part in re.findall(r'\d+', mujoco.__version__)[:3])
    if version < OLDEST or version == DEFECTIVE:
        raise InstallationError(
            f'MuJoCo {mujoco.__version__} at {mujoco.__file__}: expected 3.3 or newer, '
            f'but not 4.0.0; {_FIX}'
        )
    mujoco.set_mju_user_warning(_silent)
    return mujoco


def _silent(_message: str) -> None:
    """Warnings of the engine end in a refusal of ours, not in MUJOCO_LOG.TXT."""
