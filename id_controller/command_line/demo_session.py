"""The run itself: simulator and controller as processes, the sender and recorder in this one."""
from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from id_controller.command_line.demo_data import Phase
from id_controller.command_line.demo_plan import CONTROLLER, LEAD_S, MODES, DemoPlan
from id_controller.command_line.terminal import ended_by_sigterm, progress
from id_controller.errors import InstallationError
from id_controller.realtime.children import Children
from id_controller.state import NANOSECONDS

START_TIMEOUT_S = 20.0
SETTLE_S = 1.0
POLL_S = 0.05


def play(plan: DemoPlan, output: Path) -> tuple[Phase, ...]:
    """
    Run the motion under each control mode.

    :param output: Folder for the logs of the processes.
    :raises SimulationError: when a process ends early.
    :raises InstallationError: when the controller does not come up in time.
    """
    with ended_by_sigterm(), Children(output) as children:
        # A plant that falls behind is a worse robot; the control process goes before it.
        for name, module, file, priority in (
            ('simulator', 'id_controller.ros.simulator_node', plan.simulator_file, 20),
            ('controller', 'id_controller.ros.host_process', plan.controller_file, 0),
        ):
            arguments = ['--ros-args', '--params-file', str(file)]
            children.start(name, module, arguments, priority=priority)
        with _ros() as nodes:
            session = Session(plan, children, *nodes)
            session.run()
            children.stop()
            return session.phases()


@contextmanager
def _ros() -> Iterator[tuple[Any, Any]]:
    """Two nodes in a context of their own; imported only here, for `check` needs no ROS."""
    import rclpy
    from rclpy.signals import SignalHandlerOptions

    context = rclpy.Context()
    rclpy.init(args=[], context=context, signal_handler_options=SignalHandlerOptions.NO)
    try:
        sender, recorder = (
            rclpy.create_node(f'id_controller_{role}', context=context, enable_rosout=False)
            for role in ('sender', 'recorder')
        )
        yield sender, recorder
    finally:
        rclpy.shutdown(context=context)


class Session:
    """
    One run over ROS.

    :param children: The processes that must stay alive.
    :param sender_node: Node for the sender; :param recorder_node: node that nothing spins.
    """

    def __init__(
        self, plan: DemoPlan, children: Children, sender_node: Any, recorder_node: Any
    ) -> None:
        from id_controller.ros.recorder import Recorder
        from id_controller.ros.sender import Sender

        self._plan = plan
        self._children = children
        self._sender = Sender(sender_node, CONTROLLER)
        self._recorder = Recorder(recorder_node, CONTROLLER, plan.command_topic)
        self._windows: list[tuple[int, int]] = []

    def run(self) -> None:
        """Wait for the controller, then run the motion under each mode."""
        self._sender.wait_for_controller(START_TIMEOUT_S, self._alive)
        self._wait_for_commands()
        with progress(len(MODES) * self._plan.phase_s, 12) as bar:
            for mode in MODES:
                bar.set_description(mode)
                self._windows.append(self._run_motion(mode, bar))
                if self._faulted():
                    break
        self._sender.close()

    def phases(self) -> tuple[Phase, ...]:
        """Decode what was recorded."""
        from id_controller.command_line.demo_record import phase_from_recording

        return tuple(
            phase_from_recording(self._recorder, self._plan.joints, mode, window)
            for mode, window in zip(MODES, self._windows)
        )

    def _alive(self) -> None:
        self._children.check()
        self._recorder.poll()

    def _wait_for_commands(self) -> None:
        end = time.monotonic() + START_TIMEOUT_S
        while not self._recorder.commands_heard:
            if time.monotonic() > end:
                said = [*self._recorder.events(), self._children.last_words('controller')]
                raise InstallationError(
                    f'the controller sent no command within {START_TIMEOUT_S:g} s; it says: '
                    f'{said[-1]}'
                )
            self._pass_time(POLL_S)
        self._pass_time(SETTLE_S)

    def _run_motion(self, mode: str, bar: Any) -> tuple[int, int]:
        """Send the motion and let it run; its begin and end, ns since the epoch."""
        self._sender.set_parameters({'control_mode': mode}, START_TIMEOUT_S, self._alive)
        self._sender.send(self._plan.points)
        begin, shown = time.time_ns(), 0.0
        end = begin + round(self._plan.phase_s * NANOSECONDS)
        while time.time_ns() < end and not self._faulted():
            self._pass_time(POLL_S)
            now = min((time.time_ns() - begin) / NANOSECONDS, self._plan.phase_s)
            bar.update(now - shown)
            shown = now
        return begin + round(LEAD_S * NANOSECONDS), end

    def _faulted(self) -> bool:
        """Whether to go on is pointless: a fault is latched."""
        from id_controller.command_line.demo_record import reported_fault

        return bool(reported_fault(self._recorder.reports()))

    def _pass_time(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while True:
            self._alive()
            left = end - time.monotonic()
            if left <= 0.0:
                return
            time.sleep(min(left, POLL_S))
