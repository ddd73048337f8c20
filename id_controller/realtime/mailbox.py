"""
The mailbox between host and control process, the one seam of the two.

Snapshots go down through slots of a shared memory, named by datagrams of a socket pair, which are
also the memory barrier; answers come back through the socket and ticks through a ring in the
memory. Each side has a counter in the memory that the other one watches.
"""
from __future__ import annotations

from id_controller.realtime.control_mailbox import ControlMailbox
from id_controller.realtime.host_mailbox import HostMailbox, new_layout


class Mailbox:
    """The two ways to get an end of a mailbox."""

    @staticmethod
    def create(n: int, terms: int, points_max: int) -> HostMailbox:
        """
        Make a mailbox and return the host's end.

        :param n: Number of joints.
        :param terms: Number of terms of the control law.
        :param points_max: Most points of a trajectory.
        """
        return HostMailbox(new_layout(n, terms, points_max))

    @staticmethod
    def attach(memory_fd: int, socket_fd: int) -> ControlMailbox:
        """
        Return the control process's end, which owns the socket from here on.

        :raises MailboxError: when the descriptors are not those of a mailbox.
        """
        return ControlMailbox(memory_fd, socket_fd)
