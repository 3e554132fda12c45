"""A process of the pool (pool.py): reads chunks, and writes a function's results.

The function's output goes to the log of the parent process.
"""

import os
import pickle
import signal
import sys
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO


def serve() -> None:
    """Answer requests with (True, result) or (False, exception) until the parent ends."""
    # Ctrl-C ends the process without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a descriptor is wanted
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.path[:] = pickle.load(requests)  # noqa: S301 - from our own parent, as all that we run
    waiting: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read, args=(requests, waiting), daemon=True).start()
    while True:
        function, chunk = pickle.loads(waiting.get())  # noqa: S301
        answers.write(_answer(function, chunk))
        answers.flush()


def _read(requests: BinaryIO, waiting: SimpleQueue[bytes]) -> None:
    while True:
        try:
            waiting.put(pickle.load(requests))  # noqa: S301
        except (EOFError, OSError):
            os._exit(0)


def _answer(function: Any, chunk: Any) -> bytes:  # noqa: ANN401 - whatever the pool is given
    try:
        return pickle.dumps((True, function(chunk)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 - raised again where it was asked for
        try:
            refusal = pickle.dumps((False, error))
            pickle.loads(refusal)  # noqa: S301 - not every exception survives that
        except Exception:  # noqa: BLE001
            return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
        return refusal


if __name__ == "__main__":
    serve()
