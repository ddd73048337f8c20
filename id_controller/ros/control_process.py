"""
The control process: state to torque, and nothing else.

No parameters, no services, no rosout, no ROS arguments of its own: the host has resolved every
name and hands it down.
"""
from __future__ import annotations

import sys
from functools import partial
from typing import Any

import numpy as np
import rclpy
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from id_controller.control.configuration import Configuration, configured
from id_controller.control.controller import Controller
from id_controller.control.laws import TERMS
from id_controller.errors import IdControllerError
from id_controller.parameters.flat import parameters_from_flat
from id_controller.parameters.schema import Parameters
from id_controller.realtime.control_mailbox import ControlMailbox
from id_controller.realtime.loop import run
from id_controller.realtime.mailbox import Mailbox
from id_controller.realtime.pacing import WAKE_UP_NS, EventPacing, Pacing, SteadyPacing
from id_controller.realtime.process import StopSignals, arm_parent_death, name_process
from id_controller.realtime.rate_guard import RateGuard
from id_controller.realtime.scheduling import (
    end_runaways,
    freeze_garbage,
    is_realtime,
    reset_on_fork,
    set_realtime,
    settle_threads,
)
from id_controller.realtime.self_test import measured
from id_controller.realtime.startup import read_startup
from id_controller.ros.command_sink import Drive, create_sink
from id_controller.ros.state_source import JointStateSource
from id_controller.ros.waiting import ClockSource, MessageWait
from id_controller.state import FOLLOWING, NANOSECONDS

FAILED = 2
LONGEST_RUN_S = 0.5
"""Hundreds of ticks, and well before the kernel holds all real-time threads of the CPU back."""
_P, _D = TERMS.index('proportional'), TERMS.index('derivative')


def main(memory_fd: int, socket_fd: int, startup_fd: int, parent: int) -> int:
    """Run the control process and return its exit code."""
    stop = StopSignals()
    if not arm_parent_death(parent):
        return FAILED
    name_process('id_control')
    try:
        startup = read_startup(startup_fd)
        mailbox = Mailbox.attach(memory_fd, socket_fd)
        parameters = parameters_from_flat(startup['parameters'])
        configuration = configured(parameters, startup['description'])
        return _run(configuration, startup, mailbox, stop)
    except IdControllerError as error:
        _say(str(error))
        return FAILED


def _say(line: str) -> None:
    print(f'[id_control] {line}', file=sys.stderr, flush=True)


def _run(
    configuration: Configuration,
    startup: dict[str, Any],
    mailbox: ControlMailbox,
    stop: StopSignals,
) -> int:
    node = _node(startup)
    controller = Controller(configuration.model, configuration.settings(), configuration.period_s)
    p = configuration.parameters
    source = JointStateSource(
        node, startup['joint_states'], p.joints, p.raw_messages, mailbox.rejected
    )
    if source.warning:
        _say(source.warning)
    sink = _Sink(node, startup, configuration.parameters, controller)
    pacing = _pacing(node, p, source, mailbox)
    figures = _set_up(configuration)
    mailbox.announce(is_realtime(), *figures)
    try:
        return int(
            run(
                pacing, source, controller, sink, mailbox, mailbox.telemetry,
                _guard(configuration), period_s=configuration.period_s,
                ramp_time_s=p.ramp_time, stop_wanted=stop, report=_say,
            )
        )
    finally:
        mailbox.leave()
        node.destroy_node()
        node.context.try_shutdown()
        mailbox.close()


def _set_up(configuration: Configuration) -> tuple[int, int]:
    """
    Set every thread up, those of the middleware too, and measure the law under that.

    :returns: Median and 99th percentile of what the law takes, ns.
    """
    p = configuration.parameters
    for warning in set_realtime(p.thread_priority, p.lock_memory, p.cpu_affinity):
        _say(warning)
    figures = measured(configuration)
    freeze_garbage()
    settle_threads(p.thread_priority - 1)
    reset_on_fork()
    end_runaways(LONGEST_RUN_S)
    return figures


def _guard(configuration: Configuration) -> RateGuard:
    # Ticks that wait for a state or for a clock have no deadline that they could miss.
    guard = RateGuard(configuration.period_s, configuration.parameters.pacing == 'steady')
    guard.configure(configuration.settings())
    return guard


def _node(startup: dict[str, Any]) -> Node:
    context = rclpy.Context()
    rclpy.init(args=[], context=context, signal_handler_options=SignalHandlerOptions.NO)
    return rclpy.create_node(
        startup['node'], namespace=startup['namespace'], context=context,
        use_global_arguments=False, enable_rosout=False, start_parameter_services=False,
    )


def _pacing(
    node: Node, p: Parameters, source: JointStateSource, mailbox: ControlMailbox
) -> Pacing:
    period_ns = NANOSECONDS // p.update_rate
    if p.pacing == 'steady':
        return SteadyPacing(p.update_rate, mailbox.beat, lead_ns=WAKE_UP_NS)
    if p.pacing == 'state':
        wait = MessageWait(node, source.subscription)
        return EventPacing(wait, source.take_stamp, beat=mailbox.beat)
    clock = ClockSource(node)
    wait = MessageWait(node, clock.subscription)
    return EventPacing(wait, clock.now_ns, period_ns=period_ns, beat=mailbox.beat)


class _Sink:
    """The output as the loop sees it."""

    _LOOK_EVERY = 20

    def __init__(
        self, node: Node, startup: dict[str, Any], p: Parameters, controller: Controller
    ) -> None:
        drive = partial(_drive, controller)
        self._sink = create_sink(
            node, p.output, tuple(startup['commands']), p.joints, drive, p.raw_messages
        )
        self.publish = self._sink.publish
        self._count = 0
        self._matched = False

    def matched(self) -> bool:
        """Ask the middleware now and then only: the answer takes a good part of a tick."""
        if self._count % self._LOOK_EVERY == 0:
            self._matched = self._sink.subscribers() > 0
        self._count += 1
        return self._matched


def _drive(controller: Controller) -> Drive:
    """
    Leave the feedback to the drive, except where none is allowed or it is no PD.

    After a fault the position may be wrong; there the drive gets no gains.
    """
    settings = controller.settings
    none = np.zeros(len(settings.lower))
    moving = controller.mode in FOLLOWING
    if not moving or settings.control_mode not in ('feedforward', 'gravity_pd'):
        return Drive(none, none, none)
    terms = controller.terms
    return Drive(settings.gains.p, settings.gains.d, terms[_P] + terms[_D])
