"""The shared memory itself: an anonymous file, sealed to its size, populated in both processes."""
from __future__ import annotations

import fcntl
import mmap
import os

from id_controller.errors import MailboxError
from id_controller.realtime.layout import Layout, layout_from_header

# The numbers of linux/fcntl.h; the fcntl module has no names for them in every version.
_ADD_SEALS, _SEAL, _SHRINK, _GROW, _WRITE = 1033, 0x1, 0x2, 0x4, 0x8


def created(layout: Layout) -> int:
    """Make the memory of a layout and return its file descriptor."""
    descriptor = os.memfd_create('id_controller', os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(descriptor, layout.total)
    os.pwrite(descriptor, layout.header(), 0)
    # With its size sealed neither side can cut the memory under the other (SIGBUS).
    fcntl.fcntl(descriptor, _ADD_SEALS, _SHRINK | _GROW)
    return descriptor


def attached(descriptor: int) -> tuple[Layout, memoryview]:
    """
    Map the memory and return its layout and its bytes; the map ends with its last view.

    :raises MailboxError: when the descriptor is not that of a mailbox.
    """
    try:
        size = os.fstat(descriptor).st_size
        layout = layout_from_header(os.pread(descriptor, 128, 0), size)
        flags = mmap.MAP_SHARED | mmap.MAP_POPULATE
        return layout, memoryview(mmap.mmap(descriptor, size, flags))
    except OSError as error:
        raise MailboxError(f'shared memory: descriptor {descriptor}: {error}') from error


def sealed_file(name: str, content: bytes) -> int:
    """Put bytes into an anonymous file that nobody can change any more."""
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with os.fdopen(os.dup(descriptor), 'wb') as file:
        file.write(content)
    fcntl.fcntl(descriptor, _ADD_SEALS, _SEAL | _SHRINK | _GROW | _WRITE)
    return descriptor
