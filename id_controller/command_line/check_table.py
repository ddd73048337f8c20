"""The table of ``check``."""
from __future__ import annotations

from id_controller.command_line.check_data import Check, GainCheck
from id_controller.command_line.derived_gains import BANDWIDTH_HZ
from id_controller.command_line.text_table import number, text_table


def report(check: Check) -> str:
    """Put a check in words: sections of text, no warnings."""
    sections = [
        _head(check),
        _joints(check),
        _masses(check),
        _gravity(check),
        *(_gains(check, gains) for gains in check.gain_checks),
        _still(check),
    ]
    return '\n\n'.join(section for section in sections if section)


def _head(check: Check) -> str:
    parameters, chosen = check.configuration.parameters, check.chosen
    origin = chosen.parameter_file or 'none; defaults, and all joints that can be driven'
    return '\n'.join([
        f'robot       {chosen.name} ({chosen.file})',
        f'parameters  {origin}',
        f'control     {parameters.control_mode} at {parameters.update_rate} Hz, effort out '
        f'{1e3 * check.delay_s:g} ms after the state',
        f'efforts     to {parameters.output.type} {parameters.output.controller}; a limit of 0, '
        f'negative or missing: {parameters.effort_limit_policy}',
    ])


def _joints(check: Check) -> str:
    limits, configuration = check.configuration.limits, check.configuration
    kinds = {joint.name: joint.kind for joint in check.chosen.description.joints}
    settings = configuration.settings()
    rows = [
        [
            joint,
            kinds[joint],
            number(limits.lower[k]),
            number(limits.upper[k]),
            number(limits.velocity[k]),
            number(limits.effort[k], 1),
            number(settings.viscous[k], 3),
            number(settings.coulomb[k], 3),
            number(configuration.parameters.armature[joint].value, 3),
        ]
        for k, joint in enumerate(configuration.model.joints)
    ]
    header = ['joint', 'type', 'lower', 'upper', 'velocity', 'effort', 'viscous', 'Coulomb',
              'armature']
    return f'Joints [rad, N m, s, kg; m, N where prismatic]\n{text_table(header, rows)}'


def _masses(check: Check) -> str:
    model = check.configuration.model
    payload = check.configuration.parameters.payload
    lines = [
        f'Masses: the links of the description sum to {model.mass:.3f} kg, the controlled joints '
        f'move {model.facts.moving_mass:.3f} kg of it'
    ]
    if payload.mass:
        lines.append(f'  payload on {payload.frame}: {payload.mass:.3f} kg')
    if model.massless_links:
        lines.append(f'  links without inertial: {", ".join(model.massless_links)}')
    return '\n'.join(lines)


def _gravity(check: Check) -> str:
    load = check.gravity
    rows = [
        [
            joint,
            number(check.pose[k]),
            number(load.at_pose[k]),
            number(load.worst[k]),
            number(load.limit[k], 1),
            f'{100.0 * load.worst_share[k]:.0f} %',
        ]
        for k, joint in enumerate(check.configuration.model.joints)
    ]
    header = ['joint', 'start pose', 'there', 'worst found', 'limit', 'worst of limit']
    return f'Gravity torque [N m]\n{text_table(header, rows)}'


def _gains(check: Check, gains: GainCheck) -> str:
    stability = gains.stability
    rows = [
        [
            joint,
            number(gains.p[k]),
            number(gains.d[k]),
            number(gains.inertia[k], 4),
            number(stability.damping_number[k], 3),
            number(stability.stiffness_number[k], 5),
            number(stability.radius[k], 4),
            number(1e3 * stability.delay_margin_s[k], 1),
        ]
        for k, joint in enumerate(check.configuration.model.joints)
    ]
    header = ['joint', 'p', 'd', 'least M', 'Kd dt/M', 'Kp dt^2/M', 'pole', 'delay to spare [ms]']
    note = f'; all joints together: pole {stability.whole_radius:.4f}'
    if gains.group == 'gains' and check.proposed:
        note += f'\n  (none given: these are a proposal for {BANDWIDTH_HZ:g} Hz)'
    title = f'Discrete stability of {gains.group} (stable: pole < 1){note}'
    return f'{title}\n{text_table(header, rows)}'


def _still(check: Check) -> str:
    model = check.configuration.model
    rules = {joint.name: joint.mimic for joint in check.chosen.description.joints if joint.mimic}
    lines = []
    if model.locked:
        places = ', '.join(f'{joint} at {number(q, 3)}' for joint, q in model.locked.items())
        lines.append(f'Locked: {places}')
    for joint in model.mimic:
        rule = rules[joint]
        lines.append(f'Mimic: {joint} = {rule.multiplier:g} {rule.joint} + {rule.offset:g}')
    return '\n'.join(lines)
