"""Speed of the process pool: two workers against one, and hidden against visible `__main__`.

Run with `python benchmarks/pool_speed.py`. The second comparison plays a program that is slow to
import, as the dbt command line is: spawned workers would import it again.
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from maege.analysis.workers.run import run_chunks

N_CHUNKS = 40
PAIRS_A_CHUNK = 1000
REPETITIONS = 2

PROGRAM = """
import sys
import dbt.cli.main
from pool_speed import unhidden_seconds, pool_seconds
if __name__ == "__main__":
    print({"hidden": lambda: pool_seconds(2), "visible": unhidden_seconds}[sys.argv[1]]())
"""


def edit_distances(chunk: int) -> int:
    """Return the summed edit distances of a chunk's pairs, in plain Python."""
    total = 0
    for number in range(PAIRS_A_CHUNK):
        left = [(chunk + number * step) % 7 for step in range(24)]
        right = [(chunk * number + step) % 5 for step in range(24)]
        total += _distance(left, right)
    return total


def _distance(left: list[int], right: list[int]) -> int:
    previous = list(range(len(right) + 1))
    for row, item in enumerate(left, start=1):
        current = [row]
        for column, other in enumerate(right, start=1):
            current.append(
                min(
                    previous[column] + 1,
                    current[-1] + 1,
                    previous[column - 1] + (item != other),
                )
            )
        previous = current
    return previous[-1]


def pool_seconds(workers: int) -> float:
    """Return the seconds that all chunks take, start of the workers included."""
    results: list[int] = []
    started = time.perf_counter()
    run_chunks(edit_distances, range(N_CHUNKS), workers, results.append)
    assert len(results) == N_CHUNKS
    return time.perf_counter() - started


def unhidden_seconds() -> float:
    """Return the same for a plain pool of two spawned workers."""
    started = time.perf_counter()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        assert len(list(executor.map(edit_distances, range(N_CHUNKS)))) == N_CHUNKS
    return time.perf_counter() - started


def _in_slow_program(which: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.py"
        program.write_text(PROGRAM)
        completed = subprocess.run(
            [sys.executable, str(program), which],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent)},
            capture_output=True,
            text=True,
            check=True,
        )
    return float(completed.stdout)


def main() -> None:
    """Print the best of a few runs of each setting, and their ratios."""
    one = min(pool_seconds(1) for _ in range(REPETITIONS))
    two = min(pool_seconds(2) for _ in range(REPETITIONS))
    hidden = min(_in_slow_program("hidden") for _ in range(REPETITIONS))
    visible = min(_in_slow_program("visible") for _ in range(REPETITIONS))
    print(f"{os.cpu_count()} processors, {N_CHUNKS} chunks of {PAIRS_A_CHUNK} pairs")
    print(f"one worker, in process           {one:6.2f} s")
    print(f"two workers                      {two:6.2f} s   {one / two:.2f} times as fast")
    print(f"two workers, __main__ hidden     {hidden:6.2f} s   (program that imports dbt)")
    print(
        f"two workers, __main__ visible    {visible:6.2f} s   {visible / hidden:.2f} times as long"
    )


if __name__ == "__main__":
    # Workers import functions from their module, and this module is now called `__main__`.
    import pool_speed

    pool_speed.main()
