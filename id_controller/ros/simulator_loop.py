"""
The step loop of the simulator: in real time, or in lockstep with the controller.

In lockstep the plant publishes state k and stands until the command computed from k arrives.
"""
from __future__ import annotations

import time
from collections.abc import Callable

from id_controller.realtime.pacing import SteadyPacing
from id_controller.ros.simulator_commands import CommandReader
from id_controller.ros.simulator_report import SimulatorReport
from id_controller.ros.simulator_states import StatePublisher
from id_controller.simulation.drive import Drive, Phase
from id_controller.simulation.parameters import SimulatorParameters
from id_controller.state import NANOSECONDS

# A late plant makes up for this much; what is beyond slips, and shows in the real-time factor.
CATCH_UP_S = 0.05
SERVE_NS = 20_000_000
REPORT_NS = NANOSECONDS


class SimulatorLoop:
    """
    Steps, publishes, and serves the rest of the node in between.

    :param serve: Called about every 20 ms for services and parameters; must not block.
    :param tell: Called with each line for the log, and whether it is a warning.
    """

    def __init__(
        self,
        parameters: SimulatorParameters,
        drive: Drive,
        commands: CommandReader,
        states: StatePublisher,
        report: SimulatorReport,
        serve: Callable[[], None],
        tell: Callable[[str, bool], None],
    ) -> None:
        self._parameters, self._drive, self._commands = parameters, drive, commands
        self._states, self._report, self._serve, self._tell = states, report, serve, tell
        self.paused = False
        self._pacing = SteadyPacing(parameters.wall_rate)
        # In lockstep one command is one period, also the first.
        late_s = 0.0 if parameters.lockstep else CATCH_UP_S
        self._catch_up = round(late_s * parameters.state_rate)
        self._served_ns = self._reported_ns = time.monotonic_ns()
        self._told_ns = self._told_rejected = 0

    def run(self, running: Callable[[], bool]) -> None:
        """
        Simulate until told to stop.

        :param running: Asked in each period.
        :raises SimulationError: when the simulation diverges.
        """
        self._pacing = SteadyPacing(self._parameters.wall_rate)
        self._report.begin()
        while running():
            if self.paused:
                self._rest()
            elif self._parameters.lockstep and self._drive.phase is Phase.DRIVEN:
                self._exchange()
            else:
                self._keep_time()
            now_ns = time.monotonic_ns()
            if now_ns - self._served_ns >= SERVE_NS:
                self._look_after(now_ns)

    def _keep_time(self) -> None:
        """One period against the wall clock; periods that were missed are made up for."""
        skipped = self._pacing.wait().skipped
        periods = 1 + min(skipped, self._catch_up)
        self._report.missed += skipped
        self._report.slipped += skipped + 1 - periods
        plant = self._drive.plant
        efforts = self._commands.take(plant.q, plant.v)
        now_ns = time.monotonic_ns()
        if efforts is not None and self._drive.command(now_ns, efforts):
            self._tell('commands arrive', False)
        if self._drive.watch(now_ns):
            self._lose()
        self._step(periods)

    def _exchange(self) -> None:
        """One period of lockstep: the command from the last state, or that state again."""
        plant = self._drive.plant
        timeout_s = self._parameters.lockstep_timeout
        efforts = self._commands.await_command(timeout_s, plant.q, plant.v)
        now_ns = time.monotonic_ns()
        if efforts is not None:
            self._drive.command(now_ns, efforts)
            self._step(1)
        elif self._drive.watch(now_ns):
            self._lose()
            self._pacing = SteadyPacing(self._parameters.wall_rate)
        else:
            self._report.resent += 1
            self._states.again()

    def _step(self, periods: int) -> None:
        self._drive.advance(periods)
        if self._parameters.lockstep:
            self._report.stray += self._commands.drain()
        self._states.publish()
        self._report.states += 1

    def _lose(self) -> None:
        parameters = self._parameters
        self._tell(
            f'no command for {parameters.loss_timeout_s:g} s on '
            f'{", ".join(self._commands.topics)}: now {parameters.on_command_loss}', True
        )

    def _rest(self) -> None:
        """While paused nothing moves and nothing is published, as in other simulators."""
        started_ns = time.monotonic_ns()
        time.sleep(SERVE_NS / NANOSECONDS)
        self._pacing = SteadyPacing(self._parameters.wall_rate)
        self._commands.drain()
        self._report.paused_ns += time.monotonic_ns() - started_ns
        self._drive.last_ns = time.monotonic_ns()

    def _look_after(self, now_ns: int) -> None:
        self._served_ns = now_ns
        self._serve()
        rejected = self._commands.rejected
        if rejected > self._told_rejected and now_ns - self._told_ns > REPORT_NS:
            count, self._told_ns = rejected - self._told_rejected, now_ns
            self._told_rejected = rejected
            self._tell(f'{count} commands rejected: {self._commands.refusal}', True)
        if now_ns - self._reported_ns >= REPORT_NS:
            self._reported_ns = now_ns
            phase = 'paused' if self.paused else self._drive.phase.value
            self._report.publish(phase, rejected)
