"""The schema on a node: types, refusals, all-or-nothing, read-back."""
from __future__ import annotations

from typing import Any

import pytest
import rclpy
from rclpy.parameter import Parameter

from id_controller.errors import ParameterError
from id_controller.parameters.schema import Parameters
from id_controller.ros.parameters import NodeParameters


def declared(context: Any, **values: Any) -> tuple[Any, NodeParameters]:
    overrides = [
        Parameter(name.replace('__', '.'), value=value)
        for name, value in {'joints': ['a', 'b'], **values}.items()
    ]
    node = rclpy.create_node('parameters', context=context, parameter_overrides=overrides)
    return node, NodeParameters(node, Parameters)


def test_b46_whole_numbers_are_numbers(context: Any) -> None:
    _, parameters = declared(context, gains__a__p=100, gravity=[0, 0, -10])
    read = parameters.read()
    assert read.gains['a'].p == 100.0 and isinstance(read.gains['a'].p, float)
    assert read.gravity == (0.0, 0.0, -10.0)


@pytest.mark.parametrize(('name', 'value', 'text'), [
    ('gains__c__p', 1.0, 'gains.c.p: no such parameter.*joints are a, b'),
    ('contol_mode', 'x', 'contol_mode: no such parameter; the nearest is control_mode'),
])
def test_b48_names_nearly_ours_are_refused(
    context: Any, name: str, value: Any, text: str
) -> None:
    with pytest.raises(ParameterError, match=text):
        declared(context, **{name: value})


def test_names_of_others_are_only_told(context: Any) -> None:
    _, parameters = declared(context, wheel_radius=0.1)
    assert parameters.unknown == ('wheel_radius',)


@pytest.mark.parametrize(('name', 'value', 'text'), [
    ('gains__a__p', 'x', "gains.a.p: got 'x'"),
    ('gains__a__p', -1.0, 'gains.a.p: got -1.0, expected at least 0'),
    ('gains__a__p', float('nan'), 'gains.a.p: got nan, expected a finite number'),
    ('gravity', [0.0, 0.0], 'gravity: got 2 numbers, expected 3'),
    ('update_rate', 0, 'update_rate: got 0, expected at least 1'),
    ('update_rate', 1_000_000, 'update_rate: got 1000000, expected at most 4000'),
    ('control_mode', 'magic', "control_mode: got 'magic', expected one of feedforward"),
])
def test_b48_b50_values_are_refused_by_name(
    context: Any, name: str, value: Any, text: str
) -> None:
    _, parameters = declared(context, **{name: value})
    with pytest.raises(ParameterError, match=text):
        parameters.read()


def watched(context: Any) -> tuple[Any, NodeParameters, list[Any]]:
    node, parameters = declared(context)
    applied: list[Any] = []
    parameters.watch(lambda candidate: None, lambda: applied.append(parameters.read()))
    return node, parameters, applied


def test_b44_b47_a_set_is_applied_as_a_whole_or_not_at_all(context: Any) -> None:
    node, parameters, applied = watched(context)
    bad = node.set_parameters_atomically([
        Parameter('gains.a.p', value=7), Parameter('gains.b.p', value=-1.0),
    ])
    assert not bad.successful and 'gains.b.p: got -1.0' in bad.reason
    assert parameters.read().gains['a'].p == 0.0 and not applied
    good = node.set_parameters_atomically([
        Parameter('gains.a.p', value=7), Parameter('gains.b.p', value=8.0),
    ])
    assert good.successful and len(applied) == 1
    assert [applied[0].gains[joint].p for joint in 'ab'] == [7.0, 8.0]
    assert node.get_parameter('gains.a.p').value == 7


def test_structure_is_read_only(context: Any) -> None:
    node, _, applied = watched(context)
    (result,) = node.set_parameters([Parameter('update_rate', value=500)])
    assert not result.successful and not applied


def test_the_check_sees_the_whole_candidate(context: Any) -> None:
    node, parameters = declared(context, gains__a__p=1.0)

    def check(candidate: Parameters) -> None:
        if candidate.gains['a'].p + candidate.gains['b'].p > 10.0:
            raise ParameterError('too much together')

    parameters.watch(check, lambda: None)
    (result,) = node.set_parameters([Parameter('gains.b.p', value=9.5)])
    assert not result.successful and result.reason == 'too much together'
