"""Memory that a process has freed and not given back."""

import ctypes
import gc

import pyarrow as pa


def give_back() -> None:
    """Give what is free in this process back to the machine, for others to take.

    Allocators keep what was freed for the next that asks: after a large table hundreds of
    megabytes, while workers start beside this process.
    """
    gc.collect()
    pa.default_memory_pool().release_unused()
    # The GNU C library alone has it.
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
