"""Dask's scheduler and workers as separate processes on the loopback interface."""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import pytest

PATIENCE = 120.0  # seconds within which a process must report that it has started
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def needs_dask() -> None:
    if find_spec("distributed") is None:
        message = "needs Dask: pip install -r requirements-cluster.lock"
        pytest.skip(message, allow_module_level=True)


class Processes:
    def __init__(self, folder: Path, *python_path: Path) -> None:
        self._folder = folder
        path = os.pathsep.join(map(str, python_path))
        self._environment = {
            **os.environ,
            "PYTHONPATH": path,
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
        }
        self._started: list[subprocess.Popen[str]] = []
        self.scheduler, line = self._start("Scheduler at:", "scheduler", "--port", "0")
        self.address = line.split()[-1]

    def add_worker(self, *python_path: Path, nanny: bool = True) -> "subprocess.Popen[str]":
        """Return a one-thread worker that the scheduler knows; its process, without a nanny.

        Folders in `python_path` come before the others.
        """
        # Variables that Dask's nanny sets if there is one.
        environment = self._environment if nanny else self._environment | ONE_THREAD
        paths = [*map(str, python_path), environment["PYTHONPATH"]]
        line = ["worker", self.address, "--nthreads", "1", "--local-directory", str(self._folder)]
        worker, _ = self._start(
            "Registered to:",
            *line,
            "--nanny" if nanny else "--no-nanny",
            **environment | {"PYTHONPATH": os.pathsep.join(paths)},
        )
        return worker

    def stop(self) -> None:
        for process in self._started:
            with suppress(psutil.NoSuchProcess):
                for child in psutil.Process(process.pid).children(recursive=True):
                    with suppress(psutil.NoSuchProcess):
                        child.kill()
            process.kill()
            process.wait()

    def _start(
        self, sign: str, *line: str, **environment: str
    ) -> tuple["subprocess.Popen[str]", str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *line, "--host", "127.0.0.1", "--no-dashboard"],
            cwd=self._folder,
            env=environment or self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._started.append(process)
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(process, lines), daemon=True).start()
        seen_lines: list[str] = []
        while not seen_lines or sign not in seen_lines[-1]:
            seen_lines.append(lines.get(timeout=PATIENCE))
            if not seen_lines[-1]:
                pytest.fail(f"dask {line[0]} ended:\n{''.join(seen_lines)}", pytrace=False)
        return process, seen_lines[-1]


def _read(process: Any, lines: "queue.SimpleQueue[str]") -> None:
    """Pass on all lines, and an empty text at the end."""
    for line in process.stderr:
        lines.put(line)
    lines.put("")


@contextmanager
def processes(folder: Path, *python_path: Path) -> Iterator[Processes]:
    started = Processes(folder, *python_path)
    try:
        yield started
    finally:
        started.stop()
