"""Ctrl-C for the processes of a build where it reaches dbt alone, such as by `kill -INT`.

At a terminal Ctrl-C reaches all processes. dbt runs models in threads, which hear of nothing: they
would wait for their workers, and dbt for them.
"""

import multiprocessing
import threading

_interrupted = threading.Event()


def end_workers() -> None:
    """End all processes that this one started to compute something; what they had is lost."""
    _interrupted.set()
    for worker in multiprocessing.active_children():
        worker.kill()


def is_interrupted() -> bool:
    """Return whether workers were ended, so that no input is to blame for the end of one."""
    return _interrupted.is_set()
