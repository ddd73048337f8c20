"""The schema on a node: declare it, read it, refuse what does not fit, swap what does."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult
from rclpy.node import Node

from id_controller.errors import IdControllerError
from id_controller.parameters.fields import Spec, specs
from id_controller.parameters.flat import from_flat, joints_from_flat, strangers

Schema = TypeVar('Schema')

# Declared by rclpy itself or by its QoS overriding; never ours to judge.
_OF_RCLPY = ('use_sim_time', 'qos_overrides', 'start_type_description_service')


class NodeParameters:
    """
    The parameters of one schema on one node.

    :param node: The node to declare them on.
    :param schema: Root dataclass of the schema.
    :param per_joint: Whether the schema has a ``joints`` parameter and groups for each joint.
    :raises ParameterError: for a value or a name that cannot be used.
    """

    def __init__(self, node: Node, schema: type[Schema], *, per_joint: bool = True) -> None:
        self._node = node
        self._schema = schema
        self._joints: tuple[str, ...] = ()
        self.names: list[str] = []
        if per_joint:
            first = next(spec for spec in specs(schema, ()) if spec.name == 'joints')
            value = self._declare(first)
            self._joints = joints_from_flat({'joints': value or ()})
        for spec in specs(schema, self._joints):
            if spec.name not in self.names:
                self._declare(spec)
        given = getattr(node, '_parameter_overrides', {})
        self.unknown = strangers(
            self.names,
            [name for name in given if name.split('.')[0] not in _OF_RCLPY],
            self._joints,
        )

    def _declare(self, spec: Spec) -> Any:
        default = list(spec.default) if isinstance(spec.default, tuple) else spec.default
        self.names.append(spec.name)
        parameter: Any = self._node.declare_parameter(spec.name, default, _descriptor(spec))
        return parameter.value

    def name_strangers(self, say: Callable[[str, str], None]) -> None:
        """Warn of parameters that are not ours, as shared files have them."""
        for name in self.unknown:
            say(f'parameter {name} is not one of ours', 'warning')

    def flat(self) -> dict[str, Any]:
        """Values of all parameters of the schema as they are now."""
        values = {name: self._node.get_parameter(name).value for name in self.names}
        return {name: _plain(value) for name, value in values.items()}

    def read(self, changes: dict[str, Any] | None = None) -> Any:
        """
        Build the schema object.

        :param changes: Values to take instead of the present ones.
        :raises ParameterError: naming the parameter, what was got and what was expected.
        """
        return from_flat(self._schema, {**self.flat(), **(changes or {})}, self._joints)

    def watch(self, check: Callable[[Any], None], apply: Callable[[], None]) -> None:
        """
        Serve changes while the node runs.

        :param check: Gets the whole candidate; raises an IdControllerError to refuse it.
        :param apply: Called once after a change was accepted as a whole.
        """

        def on_set(parameters: list[Any]) -> SetParametersResult:
            changes = {p.name: p.value for p in parameters if p.name in self.names}
            try:
                strangers(self.names, [p.name for p in parameters if _ours(p.name)])
                if changes:
                    check(self.read(changes))
            except IdControllerError as error:
                return SetParametersResult(successful=False, reason=str(error))
            return SetParametersResult(successful=True)

        def after_set(parameters: list[Any]) -> None:
            if any(p.name in self.names for p in parameters):
                apply()

        self._node.add_on_set_parameters_callback(on_set)
        _add_post_set_callback(self._node, after_set)


def _plain(value: Any) -> Any:
    """Arrays come as list, tuple, array or ndarray, by the version of rclpy."""
    return list(value) if hasattr(value, '__iter__') and not isinstance(value, str) else value


def _ours(name: str) -> bool:
    return name.split('.')[0] not in _OF_RCLPY


def _add_post_set_callback(node: Node, callback: Callable[[list[Any]], None]) -> None:
    """Humble has no post-set callback; there, a guard condition runs it right after the set."""
    if hasattr(node, 'add_post_set_parameters_callback'):
        node.add_post_set_parameters_callback(callback)
        return
    pending: list[Any] = []

    def flush() -> None:
        callback(list(pending))
        pending.clear()

    guard = node.create_guard_condition(flush)

    def remember(parameters: list[Any]) -> SetParametersResult:
        pending.extend(parameters)
        guard.trigger()
        return SetParametersResult(successful=True)

    node.add_on_set_parameters_callback(remember)


def _descriptor(spec: Spec) -> ParameterDescriptor:
    bounds = [
        f'at least {spec.lower:g}' if spec.lower is not None else '',
        f'at most {spec.upper:g}' if spec.upper is not None else '',
        f'one of {", ".join(spec.choices)}' if spec.choices else '',
    ]
    unit = f' [{spec.unit}]' if spec.unit else ''
    # Dynamic typing, so that `p: 100` in a file is taken for 100.0 instead of ending the node.
    return ParameterDescriptor(
        name=spec.name,
        description=spec.doc + unit,
        additional_constraints=', '.join(part for part in bounds if part),
        read_only=not spec.live,
        dynamic_typing=True,
    )
