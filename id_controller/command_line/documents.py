"""
Write the documents that are made from the code.

``python -m id_controller.command_line.documents [--check]``; with ``--check`` nothing is written
and the exit code says whether they are current.
"""
from __future__ import annotations

import sys
from pathlib import Path

from id_controller.control.fault_table import fault_table_markdown
from id_controller.parameters.reference import example, reference
from id_controller.ros import environment

_FAULTS = """# Faults

Made from the fault table (`id_controller/control/faults.py`) by `make docs`.

A fault latches: `~/reset` clears it once its cause is gone and never resumes the old motion. What
is done while it lasts depends on what it leaves trusted: without a position that can be trusted
no feedback, gravity compensation or damping is allowed, and the last gravity effort decays to
zero. Where several are found at once the gravest counts, in the order of this table.

"""


def documents() -> dict[Path, str]:
    """Every generated document with its text."""
    return {
        Path('doc/parameters.md'): reference(),
        Path('doc/faults.md'): _FAULTS + fault_table_markdown(),
        Path('config/id_controller.yaml'): example(),
        **{
            Path('config') / (environment.OLD_PROFILE + name): environment.for_fastdds_2(
                (Path('config') / (environment.PROFILE + name)).read_text()
            )
            for name in (environment.ANYWHERE, environment.LOOPBACK)
        },
    }


def main() -> int:
    """Write or check them below the current directory."""
    wanted = documents()
    stale = [
        path for path, text in wanted.items() if not path.exists() or path.read_text() != text
    ]
    if '--check' in sys.argv[1:]:
        for path in stale:
            print(f'{path}: not current; run `make docs`', file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(wanted[path])
        print(f'wrote {path}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
