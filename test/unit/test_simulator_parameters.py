from __future__ import annotations

from typing import Any

import pytest

from id_controller.errors import ParameterError
from id_controller.parameters.fields import specs
from id_controller.parameters.flat import from_flat, strangers
from id_controller.parameters.schema import Parameters
from id_controller.simulation.parameters import SimulatorParameters

JOINTS = ('shoulder_pan_joint', 'j2s6s200_joint_2')


def parameters(**flat: Any) -> SimulatorParameters:
    return from_flat(SimulatorParameters, {'joints': list(JOINTS), **flat}, JOINTS)


def test_the_state_period_holds_a_whole_number_of_steps() -> None:
    assert (parameters().substeps, parameters().plant_settings().step_s) == (4, 0.00025)
    odd = parameters(state_rate=600, physics_step=0.0005)
    assert odd.substeps == 4
    assert odd.plant_settings().step_s == pytest.approx(1.0 / 2400.0)
    assert parameters(physics_step=0.02).substeps == 1


def test_the_plant_is_as_the_parameters_say() -> None:
    settings = parameters(**{
        'locked_joints': ['finger'], 'locked_positions': [0.03], 'gravity': [0.0, 1.0, -9.7],
        'armature.shoulder_pan_joint': 0.1, 'friction.j2s6s200_joint_2.coulomb': 0.8,
        'payload.frame': 'hand', 'payload.mass': 1.5, 'realism.payload.frame': 'tip',
        'realism.payload.mass': 0.2, 'realism.mass_error': 0.2, 'realism.command_delay': 0.002,
        'realism.velocity_noise': 0.05, 'realism.mass_scale': 0.9, 'seed': 4,
    }).plant_settings()
    realism = settings.realism
    assert settings.joints == JOINTS
    assert settings.locked == {'finger': 0.03}
    assert settings.gravity == (0.0, 1.0, -9.7)
    assert realism.armature == {'shoulder_pan_joint': 0.1, 'j2s6s200_joint_2': 0.0}
    assert (realism.viscous, realism.coulomb) == ({}, {'j2s6s200_joint_2': 0.8})
    assert [(p.frame, p.mass) for p in realism.payloads] == [('hand', 1.5), ('tip', 0.2)]
    assert (realism.mass_scale, realism.mass_error) == (0.9, 0.2)
    assert (realism.command_delay_s, realism.velocity_noise, realism.seed) == (0.002, 0.05, 4)


def test_loss_waits_for_several_tries_in_lockstep() -> None:
    assert parameters(command_timeout=0.05).loss_timeout_s == 0.05
    assert parameters(lockstep=True, lockstep_timeout=0.2).loss_timeout_s == 2.0
    assert parameters(lockstep=True, command_timeout=5.0).loss_timeout_s == 5.0


@pytest.mark.parametrize(('flat', 'message'), [
    ({'locked_joints': ['a']}, 'locked_positions: got 0 numbers, expected one for each of the 1'),
    ({'real_time_factor': 0.01, 'state_rate': 100}, 'makes 1 states per second of wall time'),
    ({'payload.mass': 1.0}, 'payload.frame: got none, expected the link that carries 1 kg'),
    ({'realism.payload.mass': 2.0}, 'realism.payload.frame: got none'),
    ({'on_command_loss': 'drop'}, "on_command_loss: got 'drop', expected one of damping, zero"),
    ({'realism.velocty_noise': 0.1}, 'the nearest is realism.velocity_noise'),
    ({'lockstp': True}, 'the nearest is lockstep'),
])
def test_refusals_say_what_is_wrong(flat: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        parameters(**flat)
    assert message in str(caught.value)


def test_one_file_serves_controller_and_simulator() -> None:
    ours = [spec.name for spec in specs(SimulatorParameters, JOINTS)]
    theirs = [spec.name for spec in specs(Parameters, JOINTS)]
    assert 'state_rate' in strangers(theirs, ours, JOINTS)
    assert 'update_rate' in strangers(ours, theirs, JOINTS)


def test_names_that_both_have_mean_the_same() -> None:
    ours = {spec.name: spec for spec in specs(SimulatorParameters, JOINTS)}
    theirs = {spec.name: spec for spec in specs(Parameters, JOINTS)}
    common = sorted(set(ours) & set(theirs))
    assert 'armature.shoulder_pan_joint' in common
    for name in common:
        assert (ours[name].kind, ours[name].default) == (theirs[name].kind, theirs[name].default)
