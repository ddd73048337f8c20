"""What a person should know about the masses of a robot before power is on."""
from __future__ import annotations

import numpy as np

from id_controller.model.elements import DRIVEN_KINDS, Description, LinkDescription
from id_controller.state import Matrix


def massless_links(description: Description) -> tuple[str, ...]:
    """
    List the links without inertial that ought to have one.

    That is a link with a shape, or one that a joint moves while nothing fixed to it has a mass.
    A frame that is fixed to a body, like a tool centre point, needs none. The base does not move.
    """
    links = {link.name: link for link in description.links}
    still = set(description.links_rigid_with(description.root))
    driven = {joint.child for joint in description.joints if joint.kind in DRIVEN_KINDS}
    found = []
    for link in description.links:
        if link.mass is not None or link.name in still:
            continue
        body = description.links_rigid_with(link.name)
        weightless = link.name in driven and not any(links[name].mass for name in body)
        if link.has_geometry or weightless:
            found.append(link.name)
    return tuple(found)


def joints_without_load(description: Description) -> tuple[str, ...]:
    """List the driven joints that move no mass at all: their inertia would be zero."""
    masses = {link.name: link.mass or 0.0 for link in description.links}
    return tuple(
        joint.name
        for joint in description.joints
        if joint.kind in DRIVEN_KINDS
        and not any(masses[name] for name in description.links_below(joint.child))
    )


def inertia_warnings(description: Description) -> list[str]:
    """List what is wrong with masses and inertias, one sentence for each link or joint."""
    warnings = [
        f"link '{name}': it has no inertial: counted as massless"
        for name in massless_links(description)
    ]
    warnings += [
        f"joint '{name}': it moves no mass at all: its inertia is zero"
        for name in joints_without_load(description)
    ]
    still = description.links_rigid_with(description.root)
    for link in description.links:
        fault = _fault(link)
        if fault and link.name not in still:
            warnings.append(f"link '{link.name}': {fault}: used as written")
    return warnings


def inertia_matrix(link: LinkDescription) -> Matrix:
    """Inertia about the centre of mass, shape (3, 3), kg m^2."""
    xx, xy, xz, yy, yz, zz = link.inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _fault(link: LinkDescription) -> str:
    """
    Say what no body can have.

    Traversaro et al., "Identification of fully physical consistent inertial parameters" (2016).
    """
    if link.mass is None:
        return ''
    if link.mass < 0.0:
        return f'got mass {link.mass:g} kg, expected >= 0'
    small, middle, large = np.linalg.eigvalsh(inertia_matrix(link))
    # Files round to few digits: what is off by less than that is no fault of the body.
    slack = 1e-5 * abs(large) + 1e-12
    moments = f'principal moments {small:.3g}, {middle:.3g}, {large:.3g} kg m^2'
    if small < -slack or (link.mass > 0.0 and large <= 0.0 and link.has_geometry):
        return f'got {moments}, expected all > 0'
    if small + middle < large - slack:
        return f'got {moments}, expected none larger than the sum of the others'
    if link.mass == 0.0 and large > 0.0:
        return f'got mass 0 with {moments}, expected a mass > 0'
    return ''
