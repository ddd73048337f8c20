"""MuJoCo's model and data of one robot, with joints by name."""
from __future__ import annotations

import copy
import math
import typing
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np

from id_controller.errors import SimulationError
from id_controller.simulation.description import (
    Element,
    assign_roles,
    parse_robot,
)
from id_controller.simulation.library import load_mujoco
from id_controller.simulation.realism import Realism, mass_factors
from id_controller.simulation.rewriting import carry, drop_shapes, fill_inertias, weigh, weld
from id_controller.simulation.settings import PlantSettings
from id_controller.state import Matrix, Vector

INTEGRATORS = ('implicitfast', 'implicit', 'Euler', 'RK4')
# Less inertia than this at a joint without armature is none: nothing could move it in a sane way.
_LEAST_INERTIA = 1e-9


class Engine:
    """
    One robot in MuJoCo.

    :raises SimulationError: when MuJoCo cannot simulate the robot.
    """

    def __init__(self, urdf_text: str, settings: PlantSettings) -> None:
        self._mujoco = load_mujoco()
        root = parse_robot(urdf_text)
        self.warnings: list[str] = []
        self.roles = assign_roles(root, settings.joints, settings.locked)
        if not self.roles.free:
            raise SimulationError('robot description: got no joint that can move')
        self._model = self._compiled(root, settings.realism)
        self._set_options(settings)
        self._map_joints()
        self._set_joints(settings.realism)
        self._data = self._mujoco.MjData(self._model)
        self._mujoco.mj_setConst(self._model, self._data)
        self._prepare_inverse()
        self._check_inertia()

    def _compiled(self, root: Element, realism: Realism) -> Any:
        drop_shapes(root)
        weigh(root, mass_factors(realism, [e.get('name', '') for e in root.findall('link')]))
        for payload in realism.payloads:
            if payload.mass > 0.0:
                carry(root, payload)
        fill_inertias(root)
        weld(root, self.roles.locked)
        try:
            return self._load(root, balance=False)
        except ValueError as error:
            reason = ' '.join(str(error).split())
        try:
            model = self._load(root, balance=True)
        except ValueError:
            raise SimulationError(f'MuJoCo refuses the robot: {reason}') from None
        self.warnings.append(f'inertia made physical, so efforts differ slightly: {reason}')
        return model

    def _load(self, root: Element, *, balance: bool) -> Any:
        """Compile; ``balance`` lets MuJoCo repair inertias that no body can have."""
        extension = root.makeelement('mujoco', {})
        switch = 'true' if balance else 'false'
        options = {'fusestatic': 'true', 'balanceinertia': switch}
        extension.append(root.makeelement('compiler', options))
        root.insert(0, extension)
        try:
            return self._mujoco.MjModel.from_xml_string(ElementTree.tostring(root, 'unicode'))
        finally:
            root.remove(extension)

    def _set_options(self, settings: PlantSettings) -> None:
        mujoco, option = self._mujoco, self._model.opt
        if settings.integrator not in INTEGRATORS:
            raise SimulationError(
                f'integrator: got {settings.integrator!r}, expected one of '
                f'{", ".join(INTEGRATORS)}'
            )
        if not 0.0 < settings.step_s <= 0.02:
            raise SimulationError(
                f'physics step: got {settings.step_s:g} s, expected above 0, at most 0.02 s'
            )
        option.timestep = settings.step_s
        option.integrator = getattr(
            mujoco.mjtIntegrator, f'mjINT_{settings.integrator.upper()}'
        )
        option.gravity[:] = settings.gravity
        # A diverged simulation must be seen, not silently started anew.
        option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)

    def _map_joints(self) -> None:
        """Each simulated joint has one coordinate, so one address serves positions and rates."""
        free, followers = self.roles.free, self.roles.followers
        self._free = np.array([self._address(joint.name) for joint in free])
        # Rates of all coordinates are this matrix times those of the free joints.
        self._spread = np.zeros((self._model.nv, len(free)))
        self._offset = np.zeros(self._model.nv)
        column = {joint.name: i for i, joint in enumerate(free)}
        self._spread[self._free, range(len(free))] = 1.0
        for follower in followers:
            row = self._address(follower.name)
            self._spread[row, column[follower.leader]] = follower.multiplier
            self._offset[row] = follower.offset
        self._map_names()

    def _map_names(self) -> None:
        roles = self.roles
        self._standing = np.array([roles.locked.get(name, 0.0) for name in roles.order])
        moving = [i for i, name in enumerate(roles.order) if name not in roles.locked]
        self._moving = np.array(moving)
        self._addresses = np.array([self._address(roles.order[i]) for i in moving])
        self._places = np.array([roles.order.index(joint.name) for joint in roles.free])

    def _address(self, name: str) -> int:
        return int(self._model.jnt_dofadr[self._model.joint(name).id])

    def _set_joints(self, realism: Realism) -> None:
        model = self._model
        for joint in self.roles.free:
            i = self._address(joint.name)
            model.dof_armature[i] = realism.armature.get(joint.name, model.dof_armature[i])
            model.dof_damping[i] = realism.viscous.get(joint.name, model.dof_damping[i])
            model.dof_frictionloss[i] = realism.coulomb.get(joint.name, model.dof_frictionloss[i])
        self._damping = model.dof_damping.copy()
        # Mimic joints follow as stiffly as MuJoCo's safety rule (two steps) allows.
        model.eq_solref[:] = (2.0 * model.opt.timestep, 1.0)
        model.eq_solimp[:] = (0.999, 0.9999, 0.001, 0.5, 2.0)

    def _prepare_inverse(self) -> None:
        """A copy without friction and constraints: the equations of motion and nothing else."""
        bits = self._mujoco.mjtDisableBit
        names = ('mjDSBL_CONSTRAINT', 'mjDSBL_PASSIVE', 'mjDSBL_SPRING', 'mjDSBL_DAMPER')
        self._bare = copy.copy(self._model)
        for name in names:
            if hasattr(bits, name):
                self._bare.opt.disableflags |= int(getattr(bits, name))
        self._scratch = self._mujoco.MjData(self._bare)

    def _check_inertia(self) -> None:
        inertias = np.diag(self.mass_matrix(np.zeros(self._free.size)))
        for joint, inertia in zip(self.roles.free, inertias):
            if inertia < _LEAST_INERTIA:
                raise SimulationError(
                    f'joint {joint.name}: got {max(inertia, 0.0):.1e} of inertia on it, expected '
                    'a link with mass, or armature'
                )

    @property
    def q(self) -> Vector:
        """Positions of the free joints, shape (n,)."""
        return typing.cast(Vector, self._data.qpos[self._free])

    @property
    def v(self) -> Vector:
        """Velocities of the free joints, shape (n,)."""
        return typing.cast(Vector, self._data.qvel[self._free])

    def place(self, q: Vector, v: Vector) -> None:
        """
        Set the state, followers included.

        :param q: Positions, :param v: velocities of the free joints, shape (n,).
        """
        self._mujoco.mj_resetData(self._model, self._data)
        self._data.qpos[:] = self._spread @ q + self._offset
        self._data.qvel[:] = self._spread @ v
        self._mujoco.mj_forward(self._model, self._data)

    def advance(self, tau: Vector, steps: int) -> bool:
        """
        Let efforts act on the free joints.

        :returns: Whether the state is still finite.
        """
        self._data.qfrc_applied[self._free] = tau
        self._mujoco.mj_step(self._model, self._data, steps)
        return math.isfinite(float(self._data.qvel.sum()))

    def measure(self, v: Vector, tau: Vector) -> tuple[Vector, Vector, Vector]:
        """
        Fill position, velocity, effort of all joints of the URDF, shape (m,).

        :param v: Measured velocities, :param tau: efforts of the free joints, shape (n,).
        """
        positions = self._standing.copy()
        positions[self._moving] = self._data.qpos[self._addresses]
        velocities = np.zeros(positions.size)
        velocities[self._moving] = self._data.qvel[self._addresses]
        velocities[self._places] = v
        efforts = np.zeros(positions.size)
        efforts[self._places] = tau
        return positions, velocities, efforts

    def set_extra_damping(self, damping: Vector) -> None:
        """
        Add viscous damping, which the integrator treats implicitly.

        :param damping: Beyond that of the joints, shape (n,), N m s/rad.
        """
        self._model.dof_damping[self._free] = self._damping[self._free] + damping

    def inverse_dynamics(self, q: Vector, v: Vector, a: Vector) -> Vector:
        """
        Efforts of the free joints, followers' share included (Featherstone, RNEA).

        :param q: Positions, :param v: velocities, :param a: accelerations, shape (n,).
        """
        data = self._scratch
        data.qpos[:] = self._spread @ q + self._offset
        data.qvel[:] = self._spread @ v
        data.qacc[:] = self._spread @ a
        self._mujoco.mj_inverse(self._bare, data)
        return typing.cast(Vector, self._spread.T @ data.qfrc_inverse)

    def mass_matrix(self, q: Vector) -> Matrix:
        """
        Joint-space inertia: its columns are the efforts of unit accelerations without gravity.

        :param q: Positions, shape (n,).
        """
        gravity = self._bare.opt.gravity.copy()
        self._bare.opt.gravity[:] = 0.0
        rest = np.zeros(q.size)
        columns = [self.inverse_dynamics(q, rest, axis) for axis in np.eye(q.size)]
        self._bare.opt.gravity[:] = gravity
        return np.column_stack(columns)
