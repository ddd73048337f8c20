"""What a machine takes for a tick, and what is made of it."""
from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
from control_rig import Sums, pid, settings

from id_controller.errors import InstallationError
from id_controller.realtime.self_test import judged, measured
from id_controller.state import Vector

NO_GAINS = pid()


class Slow(Sums):
    """A robot whose dynamics take some time."""

    TAKES_NS = 400_000

    def inverse_dynamics(
        self, q: Vector, v: Vector, a: Vector, out: Vector | None = None
    ) -> Vector:
        end = time.monotonic_ns() + self.TAKES_NS
        while time.monotonic_ns() < end:
            pass
        return super().inverse_dynamics(q, v, a, out)


@pytest.mark.parametrize('changes', [
    {},
    {'gains': NO_GAINS, 'acceleration_gains': NO_GAINS},
    {'control_mode': 'computed_torque', 'lower': -2.0 * Sums.weight, 'upper': -1.0 * Sums.weight},
], ids=['as it is', 'no gains yet', 'zero is out of the limits'])
def test_it_is_the_law_that_is_measured(changes: dict[str, object]) -> None:
    configuration = SimpleNamespace(
        model=Slow(), settings=lambda: settings(**changes), period_s=1e-3,
        parameters=SimpleNamespace(update_rate=1000),
    )
    p50_ns, p99_ns = measured(configuration)
    assert Slow.TAKES_NS < p50_ns <= p99_ns


@pytest.mark.parametrize(('p50_us', 'p99_us', 'rate_hz'), [(100, 399, 1000), (50, 199, 2000)])
def test_a_rate_that_can_be_met_is_worth_no_word(p50_us: int, p99_us: int, rate_hz: int) -> None:
    assert judged(1000 * p50_us, 1000 * p99_us, rate_hz) == ''


def test_a_rate_that_is_hard_to_meet_is_warned_of() -> None:
    said = judged(150_000, 401_000, 1000)
    assert 'takes 150 us (p99 401 us) of 1000 us at update_rate 1000 Hz' in said
    assert judged(899_000, 899_000, 1000) != ''


def test_a_rate_that_cannot_be_met_is_refused_with_one_that_can() -> None:
    # 0.4 of a period of 2.5 ms is the 1 ms that a tick takes.
    with pytest.raises(InstallationError, match=r'at most 400 Hz') as refused:
        judged(1_000_000, 1_200_000, 1000)
    assert 'of 1000 us' in str(refused.value)
    assert judged(1_000_000, 1_000_000, 400) == ''
