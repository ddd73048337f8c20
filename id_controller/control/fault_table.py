"""The fault table as people read it."""
from __future__ import annotations

from id_controller.control.faults import FAULTS, Trust

_ACTIONS = {
    Trust.NONE: 'the last gravity effort, taken to zero over `ramp_time`',
    Trust.Q: 'gravity compensation, unless `on_fault` asks for less',
    Trust.Q_V: '`on_fault`',
}
_SIGNALS = {Trust.NONE: 'none', Trust.Q: 'q', Trust.Q_V: 'q, v'}


def fault_table_markdown() -> str:
    """Write the table for the docs."""
    lines = [
        '| code | fault | cause | threshold | trusted | action while ticking | clears by |',
        '|---|---|---|---|---|---|---|',
    ]
    for row in FAULTS:
        threshold = f'`{row.threshold}`' if row.threshold else ''
        cells = (
            str(int(row.fault)), row.fault.name, row.cause, threshold, _SIGNALS[row.trust],
            _ACTIONS[row.trust], row.clears,
        )
        lines.append(f'| {" | ".join(cells)} |')
    return '\n'.join(lines) + '\n'
