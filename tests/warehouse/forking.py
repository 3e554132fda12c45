"""dbt in a copy of a process that has imported it, because importing takes half of a short run.

Each run is a process of its own, as if it were newly started, except for the seed of Python's
hashes, which all copies of one process share.
"""

import atexit
import gc
import multiprocessing
import os
import runpy
import subprocess
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile

_COPIES = multiprocessing.get_context("forkserver")
# Modules that start threads at import, such as DuckDB and PyArrow, do not survive a fork; NumPy
# starts none if OPENBLAS_NUM_THREADS is 1 (tests/conftest.py).
_COPIES.set_forkserver_preload(["dbt.cli.main", "numba", "scipy.optimize", "scipy.stats"])


def run_in_copy(
    args: list[str], cwd: Path, env: dict[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Return how the Python program `args[0]` ended, and its output."""
    with NamedTemporaryFile("r", encoding="utf-8") as output:
        copy = _COPIES.Process(target=_become, args=(args, cwd, env, output.name))
        copy.start()
        copy.join()
        code = copy.exitcode
        assert code is not None
        return subprocess.CompletedProcess(args, code, output.read())


def _become(args: list[str], cwd: Path, env: dict[str, str], output: str) -> None:
    # A short process collects no garbage.
    gc.disable()
    with Path(output).open("wb") as file:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(file.fileno(), stream.fileno())
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = args
    try:
        runpy.run_path(args[0], run_name="__main__")
    finally:
        # multiprocessing does not run what closes the build file.
        atexit._run_exitfuncs()
