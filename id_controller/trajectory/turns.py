"""Whole turns of joints that turn without end: they do not count."""
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from id_controller.state import Matrix, Vector

_TURN = 2.0 * np.pi


def turns_between(
    continuous: npt.NDArray[np.bool_], q_from: Matrix | Vector, q_to: Matrix | Vector
) -> Matrix:
    """
    Return the whole turns that bring continuous joints nearest to where they are wanted.

    :param continuous: Which joints turn without end, shape (n,).
    :returns: Multiples of 2 pi to be added to ``q_from``, of its shape; 0 for other joints.
    """
    return _turns(continuous, q_to - q_from)


def shortest(continuous: npt.NDArray[np.bool_], way: Matrix | Vector) -> Matrix:
    """
    Take whole turns out of the ways of continuous joints.

    :param continuous: Which joints turn without end, shape (n,).
    :param way: Differences of positions, shape (..., n).
    """
    return np.asarray(way - _turns(continuous, way))


def _turns(continuous: npt.NDArray[np.bool_], way: Matrix | Vector) -> Matrix:
    return np.asarray(np.where(continuous, np.round(way / _TURN), 0.0) * _TURN)
