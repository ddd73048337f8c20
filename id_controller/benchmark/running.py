"""Which processes run, as the kernel tells."""
from __future__ import annotations

import contextlib
from pathlib import Path

from id_controller.errors import SimulationError

_ENDED = ('X', 'Z')


def child_of(parent: int) -> int:
    """
    Find the only child of a process.

    :raises SimulationError: when there is none.
    """
    for entry in Path('/proc').glob('[0-9]*'):
        state, its_parent = _state_of(int(entry.name))
        if its_parent == parent and state not in _ENDED:
            return int(entry.name)
    raise SimulationError(f'process {parent}: it has no child')


def runs(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not yet waited for does not."""
    return _state_of(pid)[0] not in _ENDED


def _state_of(pid: int) -> tuple[str, int]:
    """State and parent of a process."""
    with contextlib.suppress(OSError):
        state, parent = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[:2]
        return state, int(parent)
    return _ENDED[0], 0
