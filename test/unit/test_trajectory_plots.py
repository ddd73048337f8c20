"""The pictures of the page on trajectories show what it says of them."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from id_controller.command_line.trajectory_plots import (
    PERIOD_S,
    changes,
    draw,
    interpolation,
    streams,
)


def test_each_interpolation_passes_the_points() -> None:
    found = interpolation()
    assert len(found) == 5
    for q, _, _ in found.values():
        for at, way in ((0.6, 0.5), (1.0, 0.9), (1.7, 0.3), (2.4, 0.6), (2.9, 0.6)):
            assert q[round(at / PERIOD_S)] == pytest.approx(way, abs=5e-3)
    assert abs(np.diff(found["positions, 'c2'"][2][:2390])).max() < 0.1


def test_changes_and_streams_do_not_step(tmp_path: Path) -> None:
    found = changes()
    for q, v, _ in (*found.values(), *streams().values()):
        assert np.allclose(np.diff(q) / PERIOD_S, 0.5 * (v[:-1] + v[1:]), atol=2e-2)
        assert abs(np.diff(v)).max() < 0.02
    assert [motion[0][-1] for motion in found.values()] == pytest.approx(
        [0.2, found['~/hold, ~/stop or a cancel'][0].max(), 1.0]
    )
    draw(found, tmp_path / 'plot.png', jerk=True)
    assert (tmp_path / 'plot.png').stat().st_size > 10000
