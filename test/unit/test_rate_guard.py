"""When ticks are being lost, and when that is over."""
from __future__ import annotations

import pytest
from control_rig import settings
from hypothesis import given
from hypothesis import strategies as st

from id_controller.realtime.rate_guard import RateGuard

MS = 1_000_000
FRESH, STALE = 1 * MS, 26 * MS


def guard(policy: str = 'hold', enforced: bool = True) -> RateGuard:
    """At 1 kHz: 0.5 s window, at most 10 % lost or 25 in a row, 1 s to recover."""
    made = RateGuard(0.001, enforced)
    made.configure(settings(overrun_policy=policy))
    return made


def seen(made: RateGuard, *, ticks: int, skipped: int = 0, age_ns: int = FRESH) -> list[bool]:
    return [made.look(skipped, age_ns) for _ in range(ticks)]


def test_a_stall_of_some_milliseconds_is_no_loss() -> None:
    made = guard()
    assert not made.look(24, FRESH)
    assert not any(seen(made, ticks=1000))


@pytest.mark.parametrize('skipped', [25, 50, 5000])
def test_a_long_stall_is_a_loss_at_once_and_over_after_a_second(skipped: int) -> None:
    made = guard()
    assert made.look(skipped, FRESH) and made.holds
    after = seen(made, ticks=3000)
    # A second after the average has come down to 10 %, which from 1 takes 0.5 s ln(10).
    assert 990 <= after.index(False) <= 2160
    assert not any(after[after.index(False):])


@pytest.mark.parametrize(('lost_of_ten', 'expected'), [(0, False), (0.5, False), (2, True)])
def test_b78_a_lasting_share_of_dropped_ticks_is_a_loss_and_a_small_one_is_none(
    lost_of_ten: float, expected: bool
) -> None:
    made = guard()
    found = False
    every = round(10 / lost_of_ten) if lost_of_ten else 10**9
    for tick in range(1, 4000):
        found |= made.look(int(tick % every == 0), FRESH)
    assert found is expected


def test_ticks_on_old_states_are_lost_ticks() -> None:
    made = guard()
    found = seen(made, ticks=200, age_ns=STALE)
    # 1 - exp(-t / 0.5 s) passes 10 % after 53 ms.
    assert found.index(True) == pytest.approx(53, abs=2)
    assert not any(seen(guard(), ticks=200, age_ns=STALE - 2 * MS))


def test_it_does_not_flap_at_the_border() -> None:
    made = guard()
    changes, before = 0, False
    for tick in range(20_000):
        now = made.look(int(tick % 9 == 0), FRESH)  # 10 % lost, give or take
        changes += now is not before
        before = now
    assert changes <= 1


@pytest.mark.parametrize('policy', ['report', 'hold', 'stop'])
def test_the_policy_says_what_follows(policy: str) -> None:
    made = guard(policy)
    assert made.refusal() == ''
    assert made.look(50, FRESH)
    assert (made.holds, made.stops) == (policy == 'hold', policy == 'stop')
    assert ('% of the ticks were lost' in made.refusal()) is (policy != 'report')


def test_ticks_without_deadlines_cannot_be_lost() -> None:
    assert not any(seen(guard(enforced=False), ticks=100, skipped=100, age_ns=STALE))


def test_restart_forgets() -> None:
    made = guard()
    made.look(100, FRESH)
    made.restart()
    assert not made.lost and not made.look(0, FRESH)


LOOKS = st.tuples(st.integers(0, 10**6), st.sampled_from((FRESH, STALE)))


@pytest.mark.parametrize(('window_s', 'recovery_s'), [(0.01, 5.0), (0.5, 30.0), (0.5, 0.0)])
def test_a_loss_ends_whatever_the_window_and_the_time_to_recover_are(
    window_s: float, recovery_s: float
) -> None:
    made = RateGuard(0.001)
    made.configure(settings(overrun_window_s=window_s, overrun_recovery_s=recovery_s))
    assert made.look(50, FRESH)
    after = seen(made, ticks=round(1000 * recovery_s) + 3000)
    assert recovery_s * 1000 - 1 <= after.index(False) <= recovery_s * 1000 + 2500


@given(st.lists(LOOKS, max_size=200))
def test_whatever_comes_the_loss_ends_by_itself(looks: list[tuple[int, int]]) -> None:
    made = guard()
    for skipped, age_ns in looks:
        assert made.look(skipped, age_ns) or skipped < 25
    assert not any(seen(made, ticks=3000)[2160:])
