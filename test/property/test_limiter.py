"""The limiter over any sequence of requests."""
from __future__ import annotations

import math

import numpy as np
from control_rig import pair
from hypothesis import given
from hypothesis import strategies as st

from id_controller.control.limits import Limiter, numbers_within

LIMIT, RATE = pair(10.0, 0.7), pair(300.0, 2000.0)
anything = st.floats(allow_nan=True, allow_infinity=True)
times = st.floats(-0.01, 0.1)
requests = st.lists(st.tuples(anything, anything, times), max_size=30)


@given(
    st.lists(anything | st.floats(-2e9, 2e9) | st.just(1e9), min_size=1, max_size=9),
    st.sampled_from([1e9, math.inf]),
)
def test_numbers_are_within_when_each_of_them_is(values: list[float], largest: float) -> None:
    expected = all(-largest < value < largest for value in values)
    assert numbers_within(np.array(values), largest) is expected


def limiter(rate: np.ndarray = RATE) -> Limiter:
    limits = Limiter(2)
    limits.configure(LIMIT, rate)
    return limits


@given(requests)
def test_whatever_is_asked_it_stays_finite_within_limits_and_rate(
    sequence: list[tuple[float, float, float]]
) -> None:
    limits, last = limiter(), np.zeros(2)
    for first, second, dt_s in sequence:
        out = limits.limited(pair(first, second), dt_s).copy()
        assert np.isfinite(out).all()
        assert (np.abs(out) <= LIMIT).all()
        assert (np.abs(out - last) <= RATE * max(dt_s, 0.0) + 1e-12).all()
        last = out


@given(requests, st.tuples(anything, anything), st.floats(1e-5, 0.1))
def test_limiting_what_was_limited_changes_nothing(
    before: list[tuple[float, float, float]], request: tuple[float, float], dt_s: float
) -> None:
    limits = limiter()
    for first, second, before_s in before:
        limits.limited(pair(first, second), before_s)
    once = limits.limited(pair(*request), dt_s).copy()
    assert limits.limited(once, dt_s).tolist() == once.tolist()


@given(requests)
def test_b01_what_was_asked_before_leaves_no_trace_in_the_end(
    sequence: list[tuple[float, float, float]]
) -> None:
    limits = limiter()
    for first, second, dt_s in sequence:
        limits.limited(pair(first, second), dt_s)
    for _ in range(100):
        out = limits.limited(pair(3.5, -0.25), 0.001)
    assert out.tolist() == [3.5, -0.25]


@given(st.tuples(anything, anything))
def test_without_limits_what_is_no_number_is_zero(request: tuple[float, float]) -> None:
    free = pair(np.inf, np.inf)
    limits = Limiter(2)
    limits.configure(free, free)
    out = limits.limited(pair(*request), 0.001)
    for asked, given_ in zip(request, out):
        assert given_ == (asked if np.isfinite(asked) else 0.0)
