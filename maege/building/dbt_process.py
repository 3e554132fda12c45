"""Run dbt in a separate process for `maege build`: dbt keeps the build file open until it exits.

    python -m maege.building.dbt_process

It ends when its parent process ends, because this closes the pipe that it reads.
"""

import gc
import os
import sys
from threading import Thread
from typing import Any

from maege.analysis.workers.pool import Progress
from maege.visible import visible_output


class _Reported:
    def __init__(self) -> None:
        self._progress: Progress | None = None

    def __call__(self, event: Any) -> None:  # noqa: ANN401 - dbt's
        if event.info.name == "ConcurrencyLine":
            self._progress = Progress("building tables and tests", event.data.node_count)
        elif event.info.name == "NodeFinished" and self._progress is not None:
            self._progress.advance(1)


def _end_with_parent() -> None:
    while os.read(0, 1):
        pass
    os._exit(1)


def main() -> None:
    """Run `dbt build`; end with 0 if all nodes passed, else with 1 after dbt's own messages."""
    # By default, Python collects garbage after 700 new objects, and dbt keeps millions of them.
    gc.set_threshold(100_000)
    # Imported here: workers import this module and need no dbt.
    from dbt.cli.main import dbtRunner

    Thread(target=_end_with_parent, daemon=True).start()
    dbt = dbtRunner(callbacks=[_Reported()])
    with visible_output():
        # Unit tests check the code and do not depend on the data.
        result = dbt.invoke(
            ["--no-use-colors", "build", "--quiet", "--exclude-resource-type", "unit_test"]
        )
        if result.exception is not None:
            sys.stderr.write(f"{result.exception}\n")
    sys.stdout.flush()
    sys.exit(0 if result.success else 1)


if __name__ == "__main__":
    main()
