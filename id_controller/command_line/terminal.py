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


class LeaveSignals:
    """
    SIGINT, SIGTERM and SIGHUP, raised where it is safe: a context.

    Anywhere else they could strike inside the middleware, which makes other errors of them.
    """

    def __init__(self) -> None:
        self._seen = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> LeaveSignals:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # What nohup and background jobs ignore stays ignored.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._seen = number

    def check(self) -> None:
        """Leave, once, if one has come."""
        seen, self._seen = self._seen, 0
        if seen == signal.SIGINT:
            raise KeyboardInterrupt
        if seen:
            raise SystemExit(128 + seen)


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
