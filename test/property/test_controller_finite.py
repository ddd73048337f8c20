"""Whatever comes in, in whatever order, what goes out is finite, within limits and rate."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from control_rig import MS, Session, pair, trajectory
from hypothesis import given
from hypothesis import strategies as st

from id_controller.control.faults import Fault
from id_controller.model.build import build_model
from id_controller.model.robots import robot_path
from id_controller.parameters.schema import CONTROL_MODES, EXIT_ACTIONS, FAULT_ACTIONS
from id_controller.state import Mode, Request

LIMIT, RATE = pair(50.0, 30.0), pair(1000.0, 600.0)
anything = st.floats(allow_nan=True, allow_infinity=True) | st.floats(-3.0, 3.0)
sane = st.floats(-1.0, 1.0)

events = st.one_of(
    st.tuples(st.just('state'), st.tuples(anything, anything, anything, anything)),
    st.tuples(st.just('state'), st.tuples(sane, sane, sane, sane)),
    st.tuples(st.just('age'), st.integers(-MS, 200 * MS)),
    st.tuples(st.just('complete'), st.booleans()),
    st.tuples(st.just('matched'), st.booleans()),
    st.tuples(st.just('request'), st.sampled_from(Request)),
    st.tuples(st.just('follow'), st.tuples(sane, sane)),
    st.tuples(st.just('mode'), st.sampled_from(CONTROL_MODES)),
    st.tuples(st.just('silent'), st.none()),
    st.tuples(st.just('wrench'), st.tuples(anything, anything)),
    st.tuples(st.just('poison'), st.sampled_from([0.0, np.nan, np.inf, 1e300])),
    st.tuples(st.just('step'), st.integers(-2000 * MS, 2000 * MS)),
)


def happen(session: Session, kind: str, value: Any) -> None:
    controller = session.controller
    if kind == 'state':
        session.q, session.v = pair(*value[:2]), pair(*value[2:])
    elif kind == 'age':
        session.age_ns = value
    elif kind in ('complete', 'matched'):
        setattr(session, kind, value)
    elif kind == 'request':
        controller.request(value)
    elif kind == 'follow':
        controller.follow(trajectory([0.05], [list(value)]))
    elif kind == 'mode':
        session.change(control_mode=value)
    elif kind == 'silent':
        controller.raise_fault(Fault.HOST_SILENT)
    elif kind == 'wrench':
        controller.set_wrench(np.array([*value, 0.0, 0.0, 0.0, 0.0]))
    elif kind == 'poison':
        session.model.poison = value
    elif kind == 'step':
        session.now_ns += value


@given(
    st.lists(st.tuples(events, st.integers(1, 30)), max_size=25),
    st.sampled_from(FAULT_ACTIONS),
    st.sampled_from(EXIT_ACTIONS),
    st.sampled_from([0.0, 30.0]),
)
@pytest.mark.filterwarnings('error')
def test_no_input_gets_a_bad_command_out(
    story: list[tuple[tuple[str, Any], int]], on_fault: str, on_exit: str, cutoff: float
) -> None:
    session = Session(
        on_fault=on_fault, on_exit=on_exit, velocity_cutoff_hz=cutoff, soft_margin=0.2
    )
    session.controller.request(Request.ACTIVATE)
    last = np.zeros(2)
    for (kind, value), ticks in story:
        happen(session, kind, value)
        for _ in range(ticks):
            command = session.tick()
            assert np.isfinite(command.tau).all()
            assert np.isfinite(command.reference).all()
            assert (np.abs(command.tau) <= LIMIT).all()
            if command.publish and session.matched:
                # At most two periods of the rate limit in one tick, however late it is.
                assert (np.abs(command.tau - last) <= 0.002 * RATE + 1e-9).all()
            if command.mode in (Mode.INACTIVE, Mode.WAITING, Mode.EXITED):
                assert not command.publish
                assert not command.tau.any()
            last = command.tau


@given(
    st.lists(st.tuples(anything, anything, anything, anything), min_size=1, max_size=8),
    st.sampled_from(CONTROL_MODES),
)
def test_b01_after_any_states_a_reset_brings_the_real_robot_back(
    states: list[tuple[float, float, float, float]], mode: str
) -> None:
    session = Session(model=MODEL, control_mode=mode)
    session.q, session.v = pair(0.3, -0.4), pair(0.0, 0.0)
    session.activated()
    carried = session.tick(40).tau
    for state in states:
        session.q, session.v = pair(*state[:2]), pair(*state[2:])
        assert np.isfinite(session.tick().tau).all()
    session.q, session.v = pair(0.3, -0.4), pair(0.0, 0.0)
    session.tick()
    assert session.controller.request(Request.RESET) == ''
    assert session.tick(150).tau == pytest.approx(carried)


MODEL = build_model(robot_path('two_link').read_text(), ['shoulder', 'elbow'])
