"""Publishers that speak but cannot be heard: said as an error, with what to do."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.qos import qos_policy_name_from_kind

try:
    from rclpy.event_handler import SubscriptionEventCallbacks
except ImportError:  # Humble
    from rclpy.qos_event import SubscriptionEventCallbacks


def mismatch(
    topic: str, say: Callable[[str, str], None], remedy: str
) -> SubscriptionEventCallbacks:
    """
    Make the callbacks of a subscription that says when a publisher's offer does not suffice.

    :param topic: The topic, for the line.
    :param say: Takes a line and its severity.
    :param remedy: What the publisher must offer.
    """
    def incompatible(info: Any) -> None:
        policy = qos_policy_name_from_kind(info.last_policy_kind)
        say(f'{topic}: nothing is heard of a publisher because of its {policy}; {remedy}', 'error')

    return SubscriptionEventCallbacks(incompatible_qos=incompatible)
