"""
The host: the ROS face of the controller, a lifecycle node.

It validates, fits and builds, and hands the control process immutable snapshots; it reads back
what that did. No torque is computed here, except to take over from a control process that is lost.
"""
from __future__ import annotations

from typing import Any

from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn

from id_controller.control.arming import check_settings, missing_gains
from id_controller.control.configuration import Configuration, configured
from id_controller.errors import IdControllerError, ModelError, ParameterError
from id_controller.parameters.schema import Parameters
from id_controller.ros.black_box import BlackBox
from id_controller.ros.description import DescriptionSource
from id_controller.ros.events import Events
from id_controller.ros.inputs import Inputs
from id_controller.ros.parameters import NodeParameters
from id_controller.ros.reports import Observer, ignore
from id_controller.ros.session import Session
from id_controller.ros.trajectory_interface import TrajectoryInterface
from id_controller.state import IDLE

_DONE = TransitionCallbackReturn.SUCCESS
_NOT_DONE = TransitionCallbackReturn.FAILURE


class HostNode(LifecycleNode):
    """
    The controller's node.

    :param observe: Gets the rows of all ticks in order, each once.
    :raises ParameterError: for parameters that cannot be used.
    :raises ModelError: when a description file cannot be read.
    """

    def __init__(self, context: Any = None, observe: Observer = ignore) -> None:
        super().__init__('id_controller', context=context)
        self._observe = observe
        self.events = Events(self)
        self._declared = NodeParameters(self, Parameters)
        self.start_parameters: Parameters = self._declared.read()
        self._declared.name_strangers(self.events.say)
        self.description = DescriptionSource(
            self, self.start_parameters, self._new_description, self.events.say
        )
        self.session: Session | None = None
        self.failure = ''
        self._active = False
        self._inputs = Inputs(self, self.events, self.start_parameters, lambda: self.session)
        self._interface = TrajectoryInterface(
            self, self.events, self.start_parameters, self._inputs.acceptance
        )
        self._declared.watch(self._check, self._apply)
        self._report_in_time()

    def _report_in_time(self) -> None:
        p = self.start_parameters
        self._black_box = BlackBox(self.get_name(), self.events, p.black_box)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        period_s = 1.0 / p.state_publish_rate
        self.create_timer(period_s, self._report, clock=steady)
        self.create_timer(1.0, self._diagnose, clock=steady)

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Build the model and start the control process."""
        try:
            if not self.description.text:
                raise ParameterError(f'no robot description yet on {self.description.origin}')
            self.session = Session(
                self, self.events, self._configuration(), self._declared.flat,
                lambda: self._active, self._observe,
            )
        except IdControllerError as error:
            return self._fail(f'configure: {error}')
        except Exception as error:  # noqa: BLE001  Whatever it is, it must be said.
            return self._fail(f'configure: {type(error).__name__}: {error}')
        self.failure = ''
        return _DONE

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Arm: wait for a state and a subscriber, then hold."""
        if self.session is None:
            return self._fail('activate: there is no control process')
        configuration = self.session.configuration
        missing = missing_gains(configuration.settings(), configuration.parameters.joints)
        refusal = missing or self.session.activate()
        if refusal:
            return self._fail(f'activate: {refusal}')
        self._active = True
        return super().on_activate(state)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Run the exit policy, while the ticks go on."""
        self._active = False
        if self.session is not None:
            refusal = self.session.deactivate()
            if refusal:
                self.events.say(f'deactivate: {refusal}', 'error')
        return super().on_deactivate(state)

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """End the control process."""
        self.end_session()
        return _DONE

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """End the control process by its exit policy."""
        self.end_session()
        return _DONE

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        """End the control process by its exit policy; the node can be configured again."""
        self.end_session()
        return _DONE

    def abort_goal(self, why: str) -> bool:
        """End the active goal; return whether there was one, whose result must still go out."""
        goals = self._inputs.acceptance.goals
        found = goals.active is not None
        goals.drop(why)
        return found

    def close_interface(self) -> None:
        """Take goals no more."""
        self._interface.close()

    def end_session(self) -> None:
        """End the control process, if there is one."""
        self.abort_goal('the controller was shut down')
        session, self.session = self.session, None
        if session is not None:
            session.close()

    def serve_main_thread(self) -> None:
        """Do what only the main thread may: start a control process after a loss."""
        if self.session is not None:
            self.session.serve_main_thread()
        self.events.send()

    def _configuration(self) -> Configuration:
        parameters: Parameters = self._declared.read()
        try:
            return configured(parameters, self.description.text)
        except ModelError as error:
            raise ModelError(f'{self.description.origin}: {error}') from None

    def _fail(self, line: str) -> TransitionCallbackReturn:
        self.failure = line
        self.events.say(line, 'error')
        return _NOT_DONE

    def _check(self, candidate: Parameters) -> None:
        session = self.session
        if session is None:
            return
        settings = session.configuration.with_parameters(candidate).settings()
        check_settings(settings, candidate.joints)
        # The host computes nothing with its model; here it shows whether a payload can be.
        session.configuration.model.set_payload(
            settings.payload_mass, settings.payload_com, settings.payload_inertia
        )
        if self._active or session.link.mode not in IDLE:
            missing = missing_gains(settings, candidate.joints)
            if missing:
                raise ParameterError(missing)

    def _apply(self) -> None:
        if self.session is not None:
            self.session.apply(self._declared.read())

    def _new_description(self) -> None:
        if self.session is not None:
            self.events.say(
                'another robot description has come; it is used from the next configure on',
                'warning',
            )

    def _report(self) -> None:
        self.events.send()
        if self.session is not None:
            self.session.reports.publish_states()
            self._black_box.look(self.session, self._declared.flat)
        self._interface.publish_state()

    def _diagnose(self) -> None:
        if self.session is not None:
            self.session.look_around()
