"""How a message names what was meant: the nearest known name, or all of them."""
from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str:
    """
    Say which name was probably meant.

    :return: ``did you mean 'x'?`` or, when nothing is near, ``known: a, b, c``.
    """
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f"did you mean '{close[0]}'?"
    return f'known: {", ".join(names)}' if names else 'there are none'
