"""Plain text tables."""
from __future__ import annotations

from collections.abc import Sequence


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], indent: int = 2) -> str:
    """
    Lay out rows under a header, first column left, the others right.

    :param indent: Blanks before each line.
    """
    lines = [list(header), *[list(row) for row in rows]]
    widths = [max(len(line[k]) for line in lines) for k in range(len(header))]

    def laid_out(line: Sequence[str]) -> str:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        return (' ' * indent + '  '.join(cells)).rstrip()

    rule = ' ' * indent + '  '.join('-' * width for width in widths)
    return '\n'.join([laid_out(lines[0]), rule, *[laid_out(line) for line in lines[1:]]])


def number(value: float, digits: int = 2) -> str:
    """Write a number; what is not finite is written as no value or no bound."""
    if value != value:
        return '-'
    if value in (float('inf'), float('-inf')):
        return 'none'
    # Zero has one sign here: -0.00 would read like a number.
    return f'{round(value, digits) + 0.0:.{digits}f}'
