"""dbt in a copy of a process that has imported it, because importing takes half of a short run.

Each run is a process of its own, as if it were newly started, except for the seed of Python's
hashes, which all copies of one process share.
"""

import gc
import importlib
import json
import os
import runpy
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

# Modules that start threads at import, such as DuckDB and PyArrow, do not survive a fork; NumPy
# starts none if OPENBLAS_NUM_THREADS is 1 (tests/conftest.py).
IMPORTED = ("dbt.cli.main", "numba", "scipy.optimize", "scipy.stats")
MOST_BYTES = 1 << 20


class Origin:
    """The process that is copied, which ends with its parent."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                env=environment,
                pass_fds=[theirs.fileno()],
            )

    def run(
        self, args: list[str], cwd: Path, env: dict[str, str]
    ) -> "subprocess.CompletedProcess[str]":
        """Return how the Python program `args[0]` ended, and its output."""
        request = json.dumps({"args": args, "cwd": str(cwd), "env": env}).encode()
        read, write = os.pipe()
        with os.fdopen(read, encoding="utf-8") as output:
            socket.send_fds(self._requests, [request], [write])
            os.close(write)
            text = output.read()
        code = int(self._requests.recv(MOST_BYTES))
        return subprocess.CompletedProcess(args, code, text)

    def close(self) -> None:
        """End the process."""
        self._requests.close()
        self._process.wait()


def serve(requests: socket.socket) -> None:
    """Start the requested programs, one after the other."""
    for module in IMPORTED:
        importlib.import_module(module)
    # Copies need no garbage collection, neither of shared objects nor at their end.
    gc.disable()
    while True:
        request, outputs, _, _ = socket.recv_fds(requests, MOST_BYTES, 1)
        if not request:
            return
        child = os.fork()
        if child == 0:
            requests.close()
            become(json.loads(request), outputs[0])
        os.close(outputs[0])
        _, status = os.waitpid(child, 0)
        requests.send(str(os.waitstatus_to_exitcode(status)).encode())


def become(request: dict[str, Any], output: int) -> None:
    """Run the program, which ends this process."""
    for stream in (sys.stdout, sys.stderr):
        os.dup2(output, stream.fileno())
    os.close(output)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv = request["args"]
    sys.path[0] = str(Path(sys.argv[0]).parent)
    runpy.run_path(sys.argv[0], run_name="__main__")
    sys.exit()


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
