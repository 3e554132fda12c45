"""A process that imports what workers need, and then forks them: once in place of once for each.

It does so while dbt parses the project, which leaves one processor of two idle. Two workers take a
second to import spaCy and its pipeline alone, and each of four pools has its own: half of what they
do in a small build. What a worker has in memory the others have, too, so that a large build, which
does not notice the seconds, has its workers spawned.
"""

import multiprocessing
import os
from multiprocessing.context import BaseContext

PRELOADED = "analysis.workers.preloaded"
_started = False


def start_template() -> None:
    """Start the process, where it can fork and has a processor, and return at once.

    It ends with this one. Who changes afterwards what can be imported, or how, does not reach it.
    """
    global _started
    if "forkserver" in multiprocessing.get_all_start_methods() and (os.cpu_count() or 1) > 1:
        # Imported here: Windows has none.
        from multiprocessing import forkserver

        multiprocessing.set_forkserver_preload([PRELOADED])
        forkserver.ensure_running()
        _started = True


def start_method() -> BaseContext:
    """Return how workers are started: forked by the template, where there is one, or spawned."""
    return multiprocessing.get_context("forkserver" if _started else "spawn")
