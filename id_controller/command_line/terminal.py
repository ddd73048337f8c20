"""What a command that takes minutes owes to whoever started it."""
from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from id_controller.errors import InstallationError


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Leave by SIGTERM as by an exception, so that what was started is ended."""
    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    previous = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def progress(seconds: float, title_width: int) -> Any:
    """
    Return a progress bar over a time.

    :param title_width: Letters for what is going on.
    :raises InstallationError: when tqdm is not there.
    """
    try:
        from tqdm import tqdm
    except ImportError as error:
        raise InstallationError(
            'tqdm is not installed, which shows the progress: pip install tqdm'
        ) from error
    form = f'{{desc:>{title_width}}} {{percentage:3.0f}}% |{{bar}}| {{n:.0f}} of {{total:.0f}} s'
    return tqdm(total=seconds, bar_format=form, ncols=60 + title_width, disable=None)
