"""
From controller joint order to Pinocchio's coordinates and back, built once.

Pinocchio orders joints by tree and name, and knows a follower (mimic joint) as a joint of its
own. With E the matrix of ratios, shape (nv, n): q_pin = E q + offset, v_pin = E v, a_pin = E a,
tau = E^T tau_pin (virtual work). Everything goes by ``idx_v``, never by a position in a list;
one joint has one position, because the descriptions given to Pinocchio are made so (``bare``).
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from id_controller.errors import ModelError
from id_controller.model.elements import Mimic
from id_controller.state import Matrix, Vector


class _Widened:
    """
    A motion with followers, by one product for q, v and a.

    :param efforts: The matrix E^T, shape (n, nv).
    :param offset: Offsets of the positions, shape (nv,).
    """

    def __init__(self, efforts: Matrix, offset: Vector) -> None:
        n, nv = efforts.shape
        self._map = np.vstack((efforts, offset))
        self._narrow: Matrix = np.zeros((3, n + 1))
        self._narrow[0, n] = 1.0  # Of the offset, which counts for q only.
        self._q, self._v, self._a = self._narrow[:, :n]
        self._wide: Matrix = np.zeros((3, nv))
        self._q_pin, self._v_pin, self._a_pin = self._wide

    def __call__(self, q: Vector, v: Vector, a: Vector) -> tuple[Vector, Vector, Vector]:
        self._q[...] = q
        self._v[...] = v
        self._a[...] = a
        self._narrow.dot(self._map, out=self._wide)
        return self._q_pin, self._v_pin, self._a_pin


class Coordinates:
    """
    The map of one model: E is the unit matrix, a permutation, or (with followers) any matrix.

    :param ratios: The matrix E, shape (nv, n).
    :param rows: Number in Pinocchio of each controlled joint, shape (n,).
    """

    def __init__(self, model: Any, joints: Sequence[str], rules: Mapping[str, Mimic]) -> None:
        if model.nq != model.nv:
            raise ModelError(
                f'robot model: got {model.nq} positions for {model.nv} velocities, expected one '
                'position for each'
            )
        self.ratios: Matrix = np.zeros((model.nv, len(joints)))
        self._offset: Vector = np.zeros(model.nv)
        for name in model.names[1:]:
            rule = rules.get(name, Mimic(joint=name))
            row = model.idx_vs[model.getJointId(name)]
            self.ratios[row, joints.index(rule.joint)] = rule.multiplier
            self._offset[row] = rule.offset
        self.rows: npt.NDArray[np.intp] = np.array(
            [model.idx_vs[model.getJointId(name)] for name in joints], dtype=np.intp
        )
        self._columns = np.argsort(self.rows)
        self._follows = model.nv > len(joints)
        self._ordered = bool((np.diff(self.rows) > 0).all())
        self._efforts: Matrix = np.ascontiguousarray(self.ratios.T)
        self._widened = _Widened(self._efforts, self._offset)

    def positions(self, q: Vector) -> Vector:
        """Positions for Pinocchio, shape (nv,), of positions in controller order, shape (n,)."""
        if self._follows:
            q_pin: Vector = np.dot(self.ratios, q)
            return np.add(q_pin, self._offset, out=q_pin)
        return q if self._ordered else q[self._columns]

    def rates(self, rate: Vector) -> Vector:
        """Velocities or accelerations for Pinocchio, shape (nv,), of those in our order."""
        if self._follows:
            wide: Vector = np.dot(self.ratios, rate)
            return wide
        return rate if self._ordered else rate[self._columns]

    def motion(self, q: Vector, v: Vector, a: Vector) -> tuple[Vector, Vector, Vector]:
        """
        Return all three for Pinocchio, with as few calls as can be; valid until the next call.

        :param q: Positions, :param v: velocities, :param a: accelerations, shape (n,) each.
        :returns: The same for Pinocchio, shape (nv,) each.
        """
        if self._follows:
            return self._widened(q, v, a)
        if self._ordered:
            return q, v, a
        return q[self._columns], v[self._columns], a[self._columns]

    def efforts(self, tau_pin: Vector, out: Vector | None = None) -> Vector:
        """Efforts in controller order, shape (n,), of efforts of Pinocchio, shape (nv,)."""
        if self._follows:
            return self._efforts.dot(tau_pin, out=out)
        if not self._ordered:
            return tau_pin.take(self.rows, out=out, mode='clip')
        if out is None:
            return tau_pin
        out[...] = tau_pin
        return out
