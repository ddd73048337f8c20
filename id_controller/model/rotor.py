"""Rotor inertias: counted once, by Pinocchio where it does so everywhere, else by us."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from id_controller.state import Vector


def rotor_beside_library(
    library: Any, model: Any, rows: npt.NDArray[np.intp], armature: Vector
) -> Vector:
    """
    Give the rotor inertias to Pinocchio, if this version counts them in all its algorithms.

    Versions differ (``Model.armature`` came before RNEA used it), so it is tried, not looked up.

    :param model: Gets ``armature`` set, or zero.
    :param rows: Number in Pinocchio of each controlled joint, shape (n,).
    :return: Rotor inertias that are left to be added by us, shape (n,): all, or zeros.
    """
    if not armature.any() or not hasattr(model, 'armature'):
        return armature
    wide = np.zeros(model.nv)
    wide[rows] = armature
    without = _seen(library, model, np.zeros(model.nv))
    within = _seen(library, model, wide)
    expected = np.concatenate([wide, wide])
    if np.allclose(within - without, expected, rtol=1e-6, atol=1e-9):
        return np.zeros(len(armature))
    model.armature = np.zeros(model.nv)
    return armature


def _seen(library: Any, model: Any, armature: Vector) -> Vector:
    """Effort of a unit acceleration by RNEA, and the diagonal of M, with some rotor inertias."""
    model.armature = armature
    data = model.createData()
    still = np.zeros(model.nv)
    tau = library.rnea(model, data, still, still, np.ones(model.nv))
    return np.concatenate([tau, np.diag(library.crba(model, data, still))])
