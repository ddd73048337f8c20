"""What counts as growth."""
from __future__ import annotations

import mmap

import pytest

from id_controller.benchmark import growth
from id_controller.benchmark.growth import LOOK_EVERY, Memory, anonymous_kb

LOOKS = 100


def looked(monkeypatch: pytest.MonkeyPatch, kb: list[int], objects: list[int]) -> Memory:
    memory = Memory(LOOKS * LOOK_EVERY)
    for count, (size, blocks) in enumerate(zip(kb, objects), start=1):
        monkeypatch.setattr(growth, 'anonymous_kb', lambda size=size: size)
        monkeypatch.setattr('sys.getallocatedblocks', lambda blocks=blocks: blocks)
        memory.look(count * LOOK_EVERY)
    return memory


def test_growth_is_counted_between_the_ends_of_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = looked(monkeypatch, [4 * k for k in range(LOOKS)], [7] * LOOKS)
    # The first five of looks 50 to 99 are 196 to 212 kB, the last five 376 to 392 kB.
    part = memory.growth(50 * LOOK_EVERY, 99 * LOOK_EVERY)
    assert part == {'kb': 384.0 - 204.0, 'objects': 0.0}


def test_what_comes_and_goes_is_no_growth(monkeypatch: pytest.MonkeyPatch) -> None:
    spikes = [900 if k % 20 == 3 else 100 for k in range(LOOKS)]
    memory = looked(monkeypatch, spikes, [5000 + k % 3 for k in range(LOOKS)])
    part = memory.growth(1, LOOKS * LOOK_EVERY)
    assert part['kb'] == 0.0 and abs(part['objects']) <= 1.0


def test_memory_that_is_used_is_seen() -> None:
    before = anonymous_kb()
    pages = mmap.mmap(-1, 8 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    pages.write(b'x' * len(pages))
    assert 8192 <= anonymous_kb() - before <= 8192 + 9000  # and the bytes that were written
