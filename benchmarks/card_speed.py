"""Time of `maege card` on published marts, beside `maege --help`, which reads nothing.

Run `python benchmarks/card_speed.py METRIC` with MAEGE_WAREHOUSE naming a published warehouse.
Medians of several runs of both, in turns, each a process of its own.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

REPETITIONS = 9
GOAL = 2.0
PROGRAM = str(Path(sys.executable).parent / "maege")


def seconds(*arguments: str) -> float:
    """Return the duration of one command, which must succeed."""
    started = time.perf_counter()
    subprocess.run([PROGRAM, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def main() -> None:
    """Print both medians and what the card adds."""
    metric = sys.argv[1] if len(sys.argv) > 1 else "gleu"
    runs: dict[str, list[float]] = {"maege --help": [], f"maege card {metric}": []}
    for _ in range(REPETITIONS):
        for name, times in runs.items():
            times.append(seconds(*name.split()[1:]))
    (_, start), (name, card) = [(name, statistics.median(times)) for name, times in runs.items()]
    print(f"maege --help    {start:6.2f} s")
    print(f"{name:16}{card:6.2f} s, {card / start:.2f} times as long; asked: at most {GOAL:.0f} s")


if __name__ == "__main__":
    main()
