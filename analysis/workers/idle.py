"""Processes that had little to do wait for the next pool of a build that calls the same module.

Starting two, with the spaCy that they import, takes a second for parses and another for edits: a
small corpus takes little more. A large one needs the memory, and does not notice the second.
"""

import os
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple

# A pool that was in use for longer is let go at once: what its workers have in memory grows.
LITTLE_WORK = 4.0  # seconds
PATIENCE = 5.0  # seconds


class _Waiting(NamedTuple):
    """Processes, how many, the module that they have imported, and the timer that ends them."""

    pool: ProcessPoolExecutor
    workers: int
    module: str
    timer: threading.Timer


class IdleProcesses:
    """At most one pool that waits. Nothing waits before `keep` is called, which a build does.

    Who changes the environment, or what can be imported, needs new processes each time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_kept = False
        self._waiting: _Waiting | None = None

    def keep(self) -> None:
        """Have pools wait from now on."""
        self._is_kept = True

    def take(self, workers: int, module: str) -> ProcessPoolExecutor | None:
        """Return the pool that waits; None, and none waits, where it is not what is asked for."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
        if waiting is None:
            return None
        waiting.timer.cancel()
        is_asked_for = (waiting.workers, waiting.module) == (workers, module)
        if is_asked_for and _is_alive(waiting.pool):
            return waiting.pool
        waiting.pool.shutdown()
        return None

    def give(self, pool: ProcessPoolExecutor, workers: int, module: str, used: float) -> None:
        """Have a pool without chunks in hand wait, in use for so many seconds, or let go of it."""
        timer = threading.Timer(PATIENCE, self._let_go, [pool])
        timer.daemon = True
        with self._lock:
            waits = self._is_kept and used < LITTLE_WORK and self._waiting is None
            if waits:
                self._waiting = _Waiting(pool, workers, module, timer)
        if waits:
            timer.start()
        else:
            pool.shutdown()

    def _let_go(self, pool: ProcessPoolExecutor) -> None:
        with self._lock:
            is_waiting = self._waiting is not None and self._waiting.pool is pool
            if is_waiting:
                self._waiting = None
        if is_waiting:
            pool.shutdown()


def _is_alive(pool: ProcessPoolExecutor) -> bool:
    try:
        pool.submit(os.getpid).result()
    except BrokenProcessPool:
        return False
    return True


idle_processes = IdleProcesses()
