"""The black box of the host: it writes the last seconds of ticks whenever there is a fault."""
from __future__ import annotations

import contextlib
import hashlib
import os
import threading
import time
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from id_controller.control.faults import Fault, fault_cause
from id_controller.control.laws import TERMS
from id_controller.model.description import parse_description
from id_controller.parameters.groups import BlackBoxFiles
from id_controller.realtime.black_box import Facts, Recording, save
from id_controller.realtime.scheduling import use_ordinary_thread
from id_controller.ros.events import Events
from id_controller.ros.session import Session
from id_controller.state import NANOSECONDS, Mode

AFTER_NS = NANOSECONDS // 2
"""So long it goes on after a fault, so that one sees what was done about it."""
REST_NS = 10 * NANOSECONDS
"""Least time between two files."""
ENDING = '.npz'


class BlackBox:
    """
    Looks at the controller, and writes in a thread of its own.

    :param name: Name of the node, for the files.
    :param events: Its way to say something.
    :param wanted: Where, and how many.
    """

    def __init__(self, name: str, events: Events, wanted: BlackBoxFiles) -> None:
        self._name, self._events, self._files = name, events, wanted.files
        self._folder = Path(wanted.folder).expanduser() if wanted.folder else log_folder()
        self._link: Any = None
        self._mode, self._lost = Mode.INACTIVE, False
        self._fault = Fault.NONE
        self._due_ns = 0
        self._written_ns = -REST_NS
        self.writer: threading.Thread | None = None

    def look(self, session: Session, parameters: Callable[[], dict[str, Any]]) -> None:
        """
        See whether there is something to keep; called often.

        :param parameters: Returns every parameter by its full name.
        """
        link, now_ns = session.link, time.monotonic_ns()
        if link is not self._link:
            self._link, self._mode, self._lost, self._due_ns = link, Mode.INACTIVE, False, 0
        for row in link.latest():
            mode = Mode(int(row['mode']))
            if mode is Mode.FAULT and self._mode is not Mode.FAULT:
                self._fault, self._due_ns = Fault(int(row['fault'])), now_ns + AFTER_NS
            self._mode = mode
        if link.lost and not self._lost:
            self._lost = True
            self._write(session, parameters, Fault.CONTROL_LOST, link.lost)
        elif self._due_ns and now_ns > self._due_ns:
            self._write(session, parameters, self._fault, fault_cause(self._fault))

    def _write(
        self, session: Session, parameters: Callable[[], dict[str, Any]], fault: Fault, cause: str
    ) -> None:
        self._due_ns, now_ns = 0, time.monotonic_ns()
        if not self._files or now_ns - self._written_ns < REST_NS:
            return
        self._written_ns = now_ns
        self.writer = threading.Thread(
            target=self._dump, args=(session, parameters(), fault, cause), name='black_box',
            daemon=True,
        )
        self.writer.start()

    def _dump(
        self, session: Session, parameters: dict[str, Any], fault: Fault, cause: str
    ) -> None:
        with contextlib.suppress(OSError):
            use_ordinary_thread()
        now = datetime.now(timezone.utc)
        stamp = now.strftime('%Y%m%d-%H%M%S')
        path = self._folder / f'{self._name}_{stamp}_{fault.name}{ENDING}'
        try:
            rows = session.link.telemetry.since(-1)
            self._folder.mkdir(parents=True, exist_ok=True)
            facts = _facts(session, parameters, fault.name, cause, now.isoformat())
            save(Recording(facts=facts, rows=rows), path)
            self._rotate()
        except Exception as error:  # noqa: BLE001  A full disk must cost no more than a line.
            self._events.say(f'black box: {type(error).__name__}: {error}', 'warning')
            return
        self._events.say(f'black box: {path}')

    def _rotate(self) -> None:
        ours = sorted(
            self._folder.glob(f'{self._name}_*{ENDING}'), key=lambda path: path.stat().st_mtime
        )
        for path in ours[: -self._files]:
            path.unlink()


def _facts(
    session: Session, parameters: dict[str, Any], fault: str, cause: str, written: str
) -> Facts:
    configuration = session.configuration
    return Facts(
        fault=fault, cause=cause, written=written,
        joints=configuration.parameters.joints, terms=TERMS,
        effort_limit=tuple(configuration.limits.effort.tolist()),
        period_s=configuration.period_s,
        robot=parse_description(configuration.description).name,
        description_sha256=hashlib.sha256(configuration.description.encode()).hexdigest(),
        parameters=parameters,
    )


def log_folder() -> Path:
    """Where ROS keeps its logs, and in it a folder of ours."""
    home = os.environ.get('ROS_HOME', str(Path('~', '.ros').expanduser()))
    return Path(os.environ.get('ROS_LOG_DIR') or Path(home, 'log')) / 'id_controller'
