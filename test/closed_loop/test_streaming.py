"""B18: targets that are streamed give a smooth reference that gets there."""
from __future__ import annotations

import numpy as np
import pytest
from control_rig import PERIOD_S, Session, pair

from id_controller.state import Vector
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.spline import fit

TARGET = pair(0.9, 0.2)
FIRST = pair(0.3, -0.4)


def streamed(rate_hz: int, seconds: float, moving: bool = False) -> tuple[Vector, Vector, Vector]:
    """q, v and a of the reference while one point, 1 s ahead, is sent again and again."""
    session = Session().activated()
    rows = []
    for k in range(round(seconds / PERIOD_S)):
        if k % round(1.0 / (rate_hz * PERIOD_S)) == 0 and k * PERIOD_S < seconds - 1.5:
            share = min(1.0, k * PERIOD_S / 2.0) if moving else 1.0
            goal = FIRST + share * (TARGET - FIRST)
            rest = np.zeros((1, 2))
            point = JointPoints(joints=('a', 'b'), times=np.array([1.0]), q=goal[np.newaxis],
                                v=rest, a=rest)
            assert session.controller.follow(fit(point)) == ''
        reference = session.tick().reference
        session.q, session.v = reference.q, reference.v
        rows.append(np.stack(reference[:3]))
    q, v, a = np.array(rows).transpose(1, 0, 2)
    return q, v, a


@pytest.mark.parametrize('rate_hz', [10, 100])
@pytest.mark.parametrize('moving', [False, True])
def test_b18_a_stream_is_smooth_and_gets_there(rate_hz: int, moving: bool) -> None:
    q, v, a = streamed(rate_hz, 5.0, moving)
    assert q[-1] == pytest.approx(TARGET, abs=1e-9)
    assert np.allclose(np.diff(q, axis=0) / PERIOD_S, 0.5 * (v[:-1] + v[1:]), atol=1e-3)
    # From rest to rest over 1 s the way d alone needs a jerk of 60 d at its ends.
    jerk = np.diff(a, axis=0) / PERIOD_S
    assert (abs(jerk) <= 60.0 * abs(TARGET - FIRST) * 1.05).all()
    assert (abs(a) <= 10.0 / 3.0**0.5 * abs(TARGET - FIRST) * 1.05).all()
    # It does not wait for the stream to end: most of the way is done while it goes on.
    late = q[round((5.0 - 1.5) / PERIOD_S)]
    assert (abs(late - TARGET) <= 0.03 * abs(TARGET - FIRST)).all()
    # A horizon that moves along overshoots a little, as any filter of this order does.
    assert (abs(q - TARGET).max(axis=0) <= abs(TARGET - FIRST) * 1.001).all()
    assert (np.sign(TARGET - FIRST) * (q - TARGET) <= 0.02 * abs(TARGET - FIRST)).all()
