"""
The control loop: wait, take the state, update, publish, record, drain the mailbox.

Nothing interrupts a tick. What the host wants is read after the command is out, in the time that
is left: it counts from the next tick on and delays no effort. The loop leaves when the controller
has run its exit policy, which it asks for when a signal says so, when the host has closed its end,
and when the host is silent.
"""
from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from enum import IntEnum

import numpy as np

from id_controller.control.faults import Fault
from id_controller.realtime.messages import Message, NewSettings, NewTrajectory, NewWrench
from id_controller.realtime.pacing import BEAT_NS, Pacing, Tick
from id_controller.realtime.rate_guard import RateGuard
from id_controller.realtime.seams import ControlEnd, Controlled, Recorder, Sink, Source
from id_controller.realtime.telemetry import Done
from id_controller.state import NANOSECONDS, Command, JointState, Mode, Request

HOST_SILENT_NS = NANOSECONDS
GRACE_S = 0.3
LAST_COMMANDS = 3
_RUNNING_OUT = (Mode.FAULT, Mode.SOFT_STOP, Mode.EXITING)


class Ending(IntEnum):
    """How a loop ended, as the exit code of its process."""

    DONE = 0
    FAILED = 1
    HOST_LOST = 3


def run(
    pacing: Pacing,
    source: Source,
    controller: Controlled,
    sink: Sink,
    mailbox: ControlEnd,
    telemetry: Recorder,
    guard: RateGuard,
    *,
    period_s: float,
    ramp_time_s: float,
    stop_wanted: Callable[[], bool],
    report: Callable[[str], None] = print,
) -> Ending:
    """
    Run until the controller has left, and return how it went.

    :param guard: Tells when too many ticks are lost.
    :param period_s: Period of the ticks, s.
    :param ramp_time_s: Time in which efforts go to zero, until settings say another, s.
    :param stop_wanted: Whether a signal asks to leave.
    :param report: Takes the text of an error that ends the loop.
    """
    loop = _Loop(pacing, source, controller, sink, mailbox, telemetry, guard)
    loop.period_s, loop.ramp_time_s, loop.stop_wanted = period_s, ramp_time_s, stop_wanted
    try:
        while loop.tick():
            loop.listen()
        return loop.ending
    except Exception:  # noqa: BLE001  The one border: whatever broke, no effort must stand.
        report(f'control loop: {traceback.format_exc()}')
    for way in (loop.leave_blind, loop.say_zero):
        try:
            way()
        except Exception:  # noqa: BLE001  The next way is simpler; the host is the last one.
            report(f'control loop, while leaving: {traceback.format_exc()}')
    return Ending.FAILED


class _Loop:
    """The loop with what it remembers from tick to tick."""

    period_s: float
    ramp_time_s: float
    stop_wanted: Callable[[], bool]

    def __init__(
        self,
        pacing: Pacing,
        source: Source,
        controller: Controlled,
        sink: Sink,
        mailbox: ControlEnd,
        telemetry: Recorder,
        guard: RateGuard,
    ) -> None:
        self._pacing, self._source, self._controller = pacing, source, controller
        self._sink, self._mailbox, self._telemetry = sink, mailbox, telemetry
        self._guard, self._mode = guard, Mode.INACTIVE
        self._sent: Command | None = None
        self._tick = Tick(0, 0)
        self._leave_by_ns = 0
        self.ending = Ending.DONE

    def tick(self) -> bool:
        """Run one tick and return whether there is another one."""
        tick = self._tick = self._pacing.wait()
        state = self._source.take(tick.steady_ns)
        if tick.silent_ns > state.age_ns:  # No clock is as bad as no state.
            state = state._replace(age_ns=tick.silent_ns)
        lost = self._guard.lost
        if self._guard.look(tick.skipped, state.age_ns):
            self._act_on_loss(begins=not lost)
        taken = time.monotonic_ns()
        matched = tick.now_ns > 0 and self._sink.matched()
        command = self._controller.update(tick.now_ns, state, matched)
        computed = time.monotonic_ns()
        self._mode = command.mode
        if self._guard.lost and not command.fault:
            command = command._replace(fault=Fault.OVERRUN)
        published = self._publish(tick, command)
        done = Done(taken, computed, time.monotonic_ns(), published)
        self._telemetry.record(tick, state, command, done)
        self._mailbox.beat()
        if self._leave_by_ns and tick.steady_ns > self._leave_by_ns:
            self.say_zero()
            return False
        return command.mode is not Mode.EXITED

    def listen(self) -> None:
        """Take what the host wants, between two ticks."""
        self._drain()
        self._look_around(self._tick.steady_ns)

    def _publish(self, tick: Tick, command: Command) -> bool:
        # A lockstep plant takes a command as the answer to its last state, so a time-out tick
        # sends none while all is well.
        if not command.publish:
            self._guard.restart()
            return False
        if tick.timed_out and command.mode not in _RUNNING_OUT:
            return False
        self._sink.publish(command.tau, command.reference)
        self._sent = command
        return True

    def _drain(self) -> None:
        for message in self._mailbox.poll():
            try:
                refusal = self._obeyed(message)
            except Exception as error:  # noqa: BLE001  A message must not end the loop.
                refusal = str(error) or type(error).__name__
            if refusal:
                self._mailbox.refuse(message.sequence, refusal)
            else:
                self._mailbox.accept(message.sequence)

    def _obeyed(self, message: Message) -> str:
        """Do what a message says, or return why not."""
        if isinstance(message, NewSettings):
            self._controller.apply(message.settings)
            self._guard.configure(message.settings)
            self.ramp_time_s = message.settings.ramp_time_s
            return ''
        if isinstance(message, NewTrajectory):
            return self._guard.refusal() or self._controller.follow(
                message.trajectory, message.sequence
            )
        if isinstance(message, NewWrench):
            return self._controller.set_wrench(np.array(message.wrench))
        if message.request is Request.ROBOT_STOPPED:
            self._controller.raise_fault(Fault.ROBOT_STOPPED)
            return ''
        if message.request is Request.EXIT:
            self._leave(self._tick.steady_ns, Ending.DONE)
            return ''
        if message.tau:
            return self._controller.request(message.request, np.array(message.tau))
        return self._controller.request(message.request)

    def _act_on_loss(self, begins: bool) -> None:
        """End the motion, which also stops the time of its trajectory, or raise the fault."""
        if self._guard.stops:
            self._controller.raise_fault(Fault.OVERRUN)
        elif self._guard.holds and (begins or self._mode is Mode.TRACK):
            self._controller.request(Request.HOLD)

    def _look_around(self, steady_ns: int) -> None:
        silent = self._mailbox.host_age(steady_ns) > HOST_SILENT_NS
        if self._leave_by_ns:
            return
        if silent:
            self._controller.raise_fault(Fault.HOST_SILENT)
        if silent or self._mailbox.host_gone:
            self._leave(steady_ns, Ending.HOST_LOST)
        elif self.stop_wanted():
            self._leave(steady_ns, Ending.DONE)

    def _leave(self, steady_ns: int, ending: Ending) -> None:
        """Ask for the exit policy, and set the time after which we go in any case."""
        if not self._leave_by_ns:
            self._controller.request(Request.EXIT)
            self._leave_by_ns = steady_ns + int((self.ramp_time_s + GRACE_S) * NANOSECONDS)
            self.ending = ending

    def say_zero(self) -> None:
        """Leave a zero command behind, several times; nothing if none was ever sent."""
        if self._sent is None:
            return
        zero = np.zeros_like(self._sent.tau)
        for _ in range(LAST_COMMANDS):
            self._sink.publish(zero, self._sent.reference)
            self._mailbox.beat()
            time.sleep(self._step_s)

    def leave_blind(self) -> None:
        """
        Run the exit policy without a state, after an error in a tick.

        A controller that sees no state takes the last gravity effort to zero.
        """
        if self._sent is None:
            return
        nothing = np.zeros_like(self._sent.tau)
        now, step_ns = self._tick.now_ns, round(self._step_s * NANOSECONDS)
        self._controller.request(Request.EXIT)
        for count in range(1, int((self.ramp_time_s + GRACE_S) / self._step_s) + 1):
            state = JointState(nothing, nothing, count * step_ns, complete=False)
            command = self._controller.update(now + count * step_ns, state, True)
            if not command.publish:
                return
            self._sink.publish(command.tau, command.reference)
            self._mailbox.beat()
            time.sleep(self._step_s)

    @property
    def _step_s(self) -> float:
        """Time between commands outside the pacing, short enough for the heartbeat."""
        return min(self.period_s, 1e-9 * BEAT_NS)
