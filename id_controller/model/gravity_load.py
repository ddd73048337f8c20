"""How much of its effort a robot needs to carry itself."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from id_controller.model.limits import JointLimits
from id_controller.model.robot import RobotModel
from id_controller.model.sampling import sampled_positions
from id_controller.state import Matrix, Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class GravityLoad:
    """
    Gravity efforts in controller joint order.

    :param at_pose: At the pose asked for, shape (n,), N m or N.
    :param worst: Largest found in size over the range, with its sign, shape (n,).
    :param worst_poses: Where it was found: row i for joint i, shape (n, n).
    :param limit: Effort limits, shape (n,).
    """

    at_pose: Vector
    worst: Vector
    worst_poses: Matrix
    limit: Vector

    @property
    def pose_share(self) -> Vector:
        """Share of the limit that is needed at the pose; inf where the limit is 0."""
        return _share(self.at_pose, self.limit)

    @property
    def worst_share(self) -> Vector:
        """Share of the limit that is needed at worst; above 1 the robot cannot hold itself."""
        return _share(self.worst, self.limit)


def gravity_load(
    model: RobotModel, limits: JointLimits, q: Vector, samples: int = 2000, seed: int = 0
) -> GravityLoad:
    """
    Compute the gravity effort at a pose and search the range for the worst.

    Samples find nearly the worst, not the worst: a joint close to its limit needs a person.

    :param q: The pose, shape (n,).
    """
    poses = np.vstack([q, sampled_positions(limits, samples, seed)])
    efforts = np.array([model.gravity(pose) for pose in poses])
    row = np.abs(efforts).argmax(axis=0)
    return GravityLoad(
        at_pose=efforts[0],
        worst=efforts[row, np.arange(model.n)],
        worst_poses=poses[row],
        limit=limits.effort,
    )


def _share(effort: Vector, limit: Vector) -> Vector:
    """Share of a limit; 0 needs nothing, whatever the limit."""
    need = np.abs(effort)
    with np.errstate(divide='ignore', invalid='ignore'):
        return np.where(need > 0.0, need / limit, 0.0)
