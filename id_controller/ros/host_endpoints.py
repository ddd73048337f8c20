"""The host's own view of the state and its own publisher of commands, for a take-over."""
from __future__ import annotations

import numpy as np
import rclpy
from rclpy.node import Node

from id_controller.parameters.schema import Parameters
from id_controller.ros.command_sink import Drive, command_topics, create_sink
from id_controller.ros.state_source import JointStateSource


class HostEndpoints:
    """
    They are there, and matched, before the control process may command.

    :param host: The host node, whose names and remappings hold.
    :raises ParameterError: when the output cannot be made.
    """

    def __init__(self, host: Node, p: Parameters) -> None:
        self.commands = tuple(
            host.resolve_topic_name(topic) for topic in command_topics(p.output, p.joints)
        )
        self.states = host.resolve_topic_name('joint_states')
        self.control_name = f'{host.get_name()}_control'
        # A node that no executor spins, without services or arguments of its own.
        self._node = rclpy.create_node(
            f'{host.get_name()}_takeover', namespace=host.get_namespace(), context=host.context,
            use_global_arguments=False, enable_rosout=False, start_parameter_services=False,
        )
        self._ours = (self.control_name, self._node.get_name())
        none = np.zeros(len(p.joints))
        # A drive with a PD of its own gets no gains from us.
        self.sink = create_sink(
            self._node, p.output, self.commands, p.joints, lambda: Drive(none, none, none),
            p.raw_messages,
        )
        self.source = JointStateSource(self._node, self.states, p.joints, p.raw_messages)

    def others(self) -> int:
        """Count the publishers of commands that are not ours."""
        # By name, because a control process that was killed is listed for some time yet.
        publishers = self._node.get_publishers_info_by_topic(self.commands[0])
        namespace = self._node.get_namespace()
        return sum(
            one.node_name not in self._ours or one.node_namespace != namespace
            for one in publishers
        )

    def close(self) -> None:
        """Take them away."""
        self._node.destroy_node()
