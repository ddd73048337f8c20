"""
How long it takes from a cause to the safe command: stop, fault, loss of a process, start, exit.

The real node drives the simulator; an observer under SCHED_FIFO above both notes the steady time
just before it acts and the steady time of every command, and reads every tick from telemetry.
"""
from __future__ import annotations
