"""Speed and memory of the I-measure against a plain port in the same run, and the original's.

Run with `python benchmarks/imeasure_speed.py`; it needs CoNLL-2014 in ../shared. Starting processes
and compiling are not counted, sending texts is. The plain port gets a few sentences, with mixing
those of few references: it writes out every mixture; its counts must be equal to ours. Memory is
the peak resident set of this process, on two processes the sum with its workers, looked at twenty
times a second. Seconds without mixing are the shortest of some runs.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil
from imeasure_plain import counts as plain_counts
from m2_corpus import SYSTEMS, conll14_groups

from maege.analysis.edits import Annotation, parse_annotation
from maege.analysis.metrics.base import FloatArray, GoldGroup
from maege.analysis.metrics.imeasure.alignment import COUNTS
from maege.analysis.metrics.imeasure.gold import gold_errors, reference_count
from maege.analysis.metrics.imeasure.measure import STATISTICS, IMeasure, IMeasureMix

SHARED = Path(__file__).resolve().parents[2] / "shared"
PROCESSES = 2
# A share for a worker: small enough that one hard sentence does not keep the other waiting.
SHARES = 16
SAMPLED_SYSTEM = "AMU"
SAMPLE = 20
MOST_TOKENS = 30
# With mixing, of few references only.
MIXED_SAMPLE = 6
FEWEST_MIXTURES, MOST_MIXTURES = 8, 64
APPROXIMATED = STATISTICS.index("approximated")
REPETITIONS = 3
SAMPLE_EVERY = 0.05  # seconds
MEGABYTE = 1 << 20
# Seconds asked for: of a system without mixing, of all systems mixed against ten annotators.
ASKED, ASKED_MIXED = 1.0, 120.0
ORIGINAL, ORIGINAL_MIXED = "60-170 s a system", "never ends"


class Run(NamedTuple):
    """What a computation returned, its seconds and the most memory meanwhile, in MB."""

    results: list[FloatArray]
    seconds: float
    megabytes: float


def compute(groups: Sequence[GoldGroup], *, mix: bool) -> list[FloatArray]:
    """Return the statistics of groups; what a worker does."""
    return (IMeasureMix() if mix else IMeasure()).compute_gold(groups)


def measured(work: Callable[[], list[FloatArray]], *, workers: bool = False, runs: int = 1) -> Run:
    """Return the shortest of some runs, and the most memory of all."""
    done = [_run(work, workers=workers) for _ in range(runs)]
    shortest = min(done, key=lambda run: run.seconds)
    return shortest._replace(megabytes=max(run.megabytes for run in done))


def _run(work: Callable[[], list[FloatArray]], *, workers: bool) -> Run:
    peak = 0
    ended = threading.Event()

    def watch() -> None:
        nonlocal peak
        while True:
            peak = max(peak, resident_bytes(workers=workers))
            if ended.wait(SAMPLE_EVERY):
                break

    watcher = threading.Thread(target=watch)
    watcher.start()
    started = time.perf_counter()
    try:
        results = work()
        duration = time.perf_counter() - started
    finally:
        ended.set()
        watcher.join()
    return Run(results, duration, peak / MEGABYTE)


def resident_bytes(*, workers: bool) -> int:
    """Return the resident set of this process, with those of its descendants if asked for."""
    this = psutil.Process()
    total = 0
    for process in (this, *(this.children(recursive=True) if workers else ())):
        with suppress(psutil.NoSuchProcess):
            total += process.memory_info().rss
    return total


def in_pool(
    pool: ProcessPoolExecutor, groups: Sequence[GoldGroup], *, mix: bool
) -> list[FloatArray]:
    """Return the statistics of groups in their order, computed by the workers."""
    parts = [groups[part::SHARES] for part in range(SHARES)]
    results: list[FloatArray] = [np.empty(0)] * len(groups)
    for part, rows in enumerate(pool.map(partial(compute, mix=mix), parts)):
        results[part::SHARES] = rows
    return results


def annotations(group: GoldGroup) -> list[Annotation | None]:
    """Return the gold of a group."""
    return [None if text is None else parse_annotation(text) for text in group.gold]


def sample(reference_set: str, *, mix: bool) -> list[GoldGroup]:
    """Return the first sentences that are short enough for the plain port."""
    chosen = []
    for group in conll14_groups(SHARED, reference_set, [SAMPLED_SYSTEM]):
        source = tuple(group.source.split())
        if len(source) > MOST_TOKENS:
            continue
        if mix:
            mixtures = reference_count(gold_errors(source, annotations(group)))
            if not FEWEST_MIXTURES <= mixtures <= MOST_MIXTURES:
                continue
        chosen.append(group)
        if len(chosen) == (MIXED_SAMPLE if mix else SAMPLE):
            break
    return chosen


def compare_with_plain_port() -> None:
    """Print both times for the same sentences; stop where counts differ."""
    print(f"plain port: sentences of {SAMPLED_SYSTEM} up to {MOST_TOKENS} tokens, one process;")
    print(f"with mixing those of {FEWEST_MIXTURES} to {MOST_MIXTURES} mixtures")
    print(f"{'references':12}{'mixing':>8}{'sentences':>11}{'references':>12}", end="")
    print(f"{'plain s':>9}{'ours s':>9}{'ratio':>8}")
    for reference_set, mix in (("nucle", False), ("bn10", False), ("nucle", True), ("bn10", True)):
        groups = sample(reference_set, mix=mix)
        started = time.perf_counter()
        plain = [
            plain_counts(
                tuple(group.source.split()),
                tuple(group.hypotheses[0].split()),
                annotations(group),
                mix=mix,
            )
            for group in groups
        ]
        plain_seconds = time.perf_counter() - started
        ours = measured(partial(compute, groups, mix=mix), runs=REPETITIONS)
        for (expected, _), found in zip(plain, ours.results, strict=True):
            np.testing.assert_array_equal(found[0, 0, :COUNTS], expected)
        total = sum(number for _, number in plain)
        print(f"{reference_set:12}{'yes' if mix else 'no':>8}{len(groups):11}{total:12}", end="")
        print(f"{plain_seconds:9.2f}{ours.seconds:9.4f}{plain_seconds / ours.seconds:7.0f}x")


def time_systems(pool: ProcessPoolExecutor) -> None:
    """Print the seconds of each system without mixing."""
    print(f"\nwithout mixing, nucle: asked {ASKED:.0f} s a system, original {ORIGINAL}")
    print_heading("system")
    for system in SYSTEMS:
        print_row(system, conll14_groups(SHARED, "nucle", [system]), pool, mix=False)


def time_mixing(pool: ProcessPoolExecutor) -> None:
    """Print the seconds of all systems together, mixed."""
    print(f"\nmixed, {len(SYSTEMS)} systems together: asked {ASKED_MIXED:.0f} s on bn10", end="")
    print(f", original {ORIGINAL_MIXED}")
    print_heading("references")
    for reference_set in ("nucle", "bn10"):
        print_row(reference_set, conll14_groups(SHARED, reference_set, SYSTEMS), pool, mix=True)


def print_heading(first: str) -> None:
    """Print the heading of a table of `print_row`."""
    print(f"{first:12}{'1 process s':>12}{'peak MB':>9}{'2 processes s':>15}{'peak MB':>9}", end="")
    print(f"{'hypotheses':>12}{'approximated':>14}")


def print_row(
    name: str, groups: Sequence[GoldGroup], pool: ProcessPoolExecutor, *, mix: bool
) -> None:
    """Print seconds and memory on one process and two; stop where their counts differ."""
    runs = 1 if mix else REPETITIONS
    one = measured(partial(compute, groups, mix=mix), runs=runs)
    two = measured(partial(in_pool, pool, groups, mix=mix), workers=True, runs=runs)
    statistics = np.concatenate(one.results)[:, 0]
    np.testing.assert_array_equal(statistics, np.concatenate(two.results)[:, 0])
    print(f"{name:12}{one.seconds:12.2f}{one.megabytes:9.0f}", end="")
    print(f"{two.seconds:15.2f}{two.megabytes:9.0f}{len(statistics):12}", end="")
    print(f"{statistics[:, APPROXIMATED].mean():14.3%}", flush=True)


def main() -> None:
    """Compile here and in the workers, then print all tables."""
    if not SHARED.is_dir():
        raise SystemExit("needs CoNLL-2014 in ../shared, beside this checkout")
    print(f"{psutil.cpu_count()} processors")
    warm = conll14_groups(SHARED, "nucle", [SAMPLED_SYSTEM])[:SHARES]
    for mix in (False, True):
        compute(warm, mix=mix)
    compare_with_plain_port()
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        for mix in (False, True):
            # Many short calls, so that each worker gets some.
            list(pool.map(partial(compute, mix=mix), [warm] * SHARES))
        time_systems(pool)
        time_mixing(pool)


if __name__ == "__main__":
    main()
