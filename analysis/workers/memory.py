"""Memory that a process has freed and not given back."""

import ctypes
import gc
import os
from functools import cache

import pyarrow as pa

# What Dask's nanny has a worker give back whenever it frees it.
EAGER = ("MALLOC_TRIM_THRESHOLD_", "65536")
# Those of the GNU C library, and the values that they may grow to where nobody has set any.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_LARGEST_MMAP_THRESHOLD = 32 << 20


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


@cache
def keep_what_is_freed() -> bool:
    """Let this process keep freed memory although Dask's nanny said otherwise; return whether so.

    Each array of a few pages would be taken from the machine anew, four times as many faults of
    pages and a tenth of the time in which a chunk is scored.
    """
    if os.environ.get(EAGER[0]) != EAGER[1]:
        return False
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is None:
        return False
    set_option(_MMAP_THRESHOLD, _LARGEST_MMAP_THRESHOLD)
    set_option(_TRIM_THRESHOLD, 2 * _LARGEST_MMAP_THRESHOLD)
    return True
