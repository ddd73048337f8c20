"""
What a control process needs to know before it can start, as one sealed file.

JSON, because it is read once: the description, the parameters and the names that the host has
resolved. What may change later goes through the mailbox.
"""
from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from id_controller.errors import MailboxError
from id_controller.realtime.memory import sealed_file

VERSION = 1


def write_startup(content: Mapping[str, Any]) -> int:
    """
    Write the start-up file and return its descriptor.

    :raises MailboxError: when something in it has no JSON form.
    """
    try:
        text = json.dumps({'version': VERSION, 'content': dict(content)})
    except (TypeError, ValueError) as error:
        raise MailboxError(f'start-up file: {error}') from error
    return sealed_file('id_controller_startup', text.encode())


def read_startup(descriptor: int) -> dict[str, Any]:
    """
    Read the start-up file; the descriptor stays open.

    :raises MailboxError: when it is not a start-up file of this version.
    """
    try:
        whole = json.loads(os.pread(descriptor, os.fstat(descriptor).st_size, 0))
    except (OSError, ValueError) as error:
        raise MailboxError(f'start-up file: descriptor {descriptor}: {error}') from error
    version = whole.get('version') if isinstance(whole, dict) else None
    content = whole.get('content') if isinstance(whole, dict) else None
    if version != VERSION or not isinstance(content, dict):
        raise MailboxError(f'start-up file: got version {version}, expected {VERSION}')
    return content
