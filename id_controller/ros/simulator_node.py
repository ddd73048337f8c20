"""The executable ``id_controller_sim``: a simulated robot behind the topics of a real one."""
from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from typing import Any

import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from std_srvs.srv import SetBool, Trigger

from id_controller.errors import IdControllerError, ParameterError, SimulationError
from id_controller.model.description_file import load_description
from id_controller.realtime.process import StopSignals
from id_controller.realtime.scheduling import set_realtime
from id_controller.ros.arguments import start_ros
from id_controller.ros.environment import use_udp_transport
from id_controller.ros.parameters import NodeParameters
from id_controller.ros.simulator_commands import CommandReader
from id_controller.ros.simulator_loop import SimulatorLoop
from id_controller.ros.simulator_report import SimulatorReport
from id_controller.ros.simulator_states import StatePublisher
from id_controller.simulation.drive import Drive
from id_controller.simulation.parameters import SimulatorParameters
from id_controller.simulation.plant import Plant
from id_controller.simulation.start_pose import given_pose, start_pose
from id_controller.state import Vector

NAME = 'id_controller_sim'
FAILED, REFUSED = 1, 2


class Simulator:
    """
    The simulator on a node of its own.

    :param context: Context to live in; ``None``: the default one.
    :param overrides: Parameters beside those of the command line.
    :raises IdControllerError: when the parameters or the robot cannot be used.
    """

    def __init__(
        self, context: Context | None = None, overrides: Sequence[Any] | None = None
    ) -> None:
        self.node: Node = rclpy.create_node(
            NAME, context=context, parameter_overrides=list(overrides or [])
        )
        try:
            self._build()
        except IdControllerError:
            self.node.destroy_node()
            raise

    def _build(self) -> None:
        declared = NodeParameters(self.node, SimulatorParameters)
        parameters: SimulatorParameters = declared.read()
        self._priority = parameters.plant_priority
        self.plant = _plant(parameters)
        self._pose = _pose(self.plant, parameters)
        self.plant.reset(self._pose)
        self.drive = Drive(
            self.plant, parameters.substeps, timeout_s=parameters.loss_timeout_s,
            on_loss=parameters.on_command_loss, brakes=parameters.brakes,
        )
        self._commands = CommandReader(self.node, parameters.output, parameters.joints)
        states = StatePublisher(self.node, self.plant, parameters)
        wanted = 0.0 if parameters.lockstep else parameters.real_time_factor
        self.report = SimulatorReport(self.node, self.drive, wanted)
        self._executor = SingleThreadedExecutor(context=self.node.context)
        self._executor.add_node(self.node)
        self.loop = SimulatorLoop(
            parameters, self.drive, self._commands, states, self.report, self._serve, self._tell
        )
        self.node.create_service(SetBool, '~/pause', self._pause)
        self.node.create_service(Trigger, '~/reset', self._reset)
        self._introduce(declared.unknown)

    def _introduce(self, unknown: Sequence[str]) -> None:
        for warning in self.plant.warnings:
            self._tell(warning, True)
        if unknown:
            groups = dict.fromkeys(name.split('.')[0] for name in unknown)
            self._tell(f'parameters of no use here: {", ".join(groups)}', False)
        pose = ', '.join(f'{joint} {q:.3f}' for joint, q in zip(self.plant.joints, self._pose))
        self._tell(f'stands at {pose}; commands on {", ".join(self._commands.topics)}', False)

    def run(self, running: Callable[[], bool]) -> None:
        """
        Simulate until told to stop.

        :param running: Asked in each period.
        :raises SimulationError: when the simulation diverges.
        """
        self.loop.run(running)

    def use_priority(self) -> None:
        """Give the calling thread the priority that was asked for, or say why not."""
        for warning in set_realtime(self._priority, lock_memory=False):
            self._tell(warning, True)

    def close(self) -> str:
        """
        Leave the graph.

        :returns: The summary of the run.
        """
        summary = self.report.summary(self._commands.rejected)
        self._executor.shutdown()
        self.node.destroy_node()
        return summary

    def _serve(self) -> None:
        self._executor.spin_once(timeout_sec=0.0)

    def _tell(self, line: str, warning: bool) -> None:
        logger = self.node.get_logger()
        if warning:
            logger.warning(line)
        else:
            logger.info(line)

    def _pause(self, request: Any, response: Any) -> Any:
        self.loop.paused = bool(request.data)
        response.success = True
        response.message = 'paused' if request.data else 'running'
        return response

    def _reset(self, _request: Any, response: Any) -> Any:
        self.drive.restart(self._pose)
        response.success = True
        response.message = 'stands at the start pose; time runs on'
        return response


def _plant(parameters: SimulatorParameters) -> Plant:
    """
    Build the plant.

    :raises SimulationError: naming the file, when its robot cannot be simulated.
    """
    description = _description(parameters)
    try:
        return Plant(description, parameters.plant_settings())
    except SimulationError as error:
        origin = parameters.robot_description_file or 'parameter robot_description'
        raise SimulationError(f'{origin}: {error}') from None


def _description(parameters: SimulatorParameters) -> str:
    if parameters.robot_description:
        return parameters.robot_description
    if parameters.robot_description_file:
        return load_description(parameters.robot_description_file)
    raise ParameterError(
        'robot_description, robot_description_file: got neither, expected the text of a URDF or '
        'the path of one'
    )


def _pose(plant: Plant, parameters: SimulatorParameters) -> Vector:
    if parameters.start_positions:
        return given_pose(plant.joints, parameters.start_positions, plant.lower, plant.upper)
    return start_pose(plant.lower, plant.upper)


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run until SIGINT or SIGTERM.

    :returns: 0 after a signal, 1 when the simulation fails, 2 when the input is refused.
    """
    arguments = list(sys.argv if argv is None else argv)
    stopped = StopSignals()
    try:
        use_udp_transport()
        start_ros(arguments)
        simulator = Simulator()
    except IdControllerError as error:
        return _refuse(error, REFUSED)
    try:
        simulator.use_priority()
        gc.freeze()
        simulator.run(lambda: not stopped())
    except IdControllerError as error:
        return _refuse(error, FAILED)
    finally:
        print(f'{NAME}: {simulator.close()}', flush=True)
        rclpy.try_shutdown()
    return 0


def _refuse(error: IdControllerError, code: int) -> int:
    print(f'{NAME}: {error}', file=sys.stderr, flush=True)
    return code


if __name__ == '__main__':
    sys.exit(main())
