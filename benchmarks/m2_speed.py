"""Speed and memory of M2 against a plain port in the same run, and the original's figures.

Run with `python benchmarks/m2_speed.py`; it needs CoNLL-2014 in ../shared. Starting processes and
compiling are not counted, encoding and sending texts are. The plain port gets 100 sentences of two
systems; the counts must be equal. Memory is the peak resident set so far, of this process and, for
two processes, of the larger worker.
"""

import resource
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import psutil
from m2_corpus import SYSTEMS, conll14_groups
from m2_plain import counts as plain_counts

from maege.analysis.edits import parse_annotation
from maege.analysis.metrics.base import FloatArray, GoldGroup
from maege.analysis.metrics.m2.family import M2

SHARED = Path(__file__).resolve().parents[2] / "shared"
PROCESSES = 2
SAMPLE = 100
SAMPLED_SYSTEMS = ("AMU", "CAMB")
REPETITIONS = 3
KILOBYTES_PER_MEGABYTE = 1024

# What is timed: reference set, systems, seconds of the original, seconds asked for.
WORK = (
    ("nucle", SYSTEMS, "5-8 a system, NTHU 179", 4.0),
    ("nucle", ("NTHU",), "179", 0.4),
    ("bn10", SYSTEMS, "11-17 a system", 8.0),
)


def seconds(work: Callable[[], object]) -> float:
    """Return the shortest duration of some runs."""
    durations = []
    for _ in range(REPETITIONS):
        started = time.perf_counter()
        work()
        durations.append(time.perf_counter() - started)
    return min(durations)


def compute(groups: Sequence[GoldGroup]) -> list[FloatArray]:
    """Return the statistics of groups; what a worker does."""
    return M2().compute_gold(groups)


def peak_megabytes(_: object = None) -> float:
    """Return the largest resident set that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KILOBYTES_PER_MEGABYTE


def shares(groups: Sequence[GoldGroup]) -> list[Sequence[GoldGroup]]:
    """Return the groups in some eight parts, every eighth sentence in one."""
    parts = 4 * PROCESSES
    return [groups[part::parts] for part in range(parts)]


def compare_with_plain_port() -> None:
    """Print both times for the same sentences; stop where counts differ."""
    print(f"plain port: {SAMPLE} sentences of {' and '.join(SAMPLED_SYSTEMS)}, one process")
    print(f"{'references':12}{'plain s':>9}{'ours s':>9}{'ratio':>8}")
    for reference_set in ("nucle", "bn10"):
        groups = conll14_groups(SHARED, reference_set, SAMPLED_SYSTEMS)[:SAMPLE]
        started = time.perf_counter()
        plain = [_plain(group) for group in groups]
        plain_seconds = time.perf_counter() - started
        for expected, found in zip(plain, compute(groups), strict=True):
            np.testing.assert_array_equal(found[~np.isnan(found[..., 0])][:, :3], expected)
        our_seconds = seconds(lambda groups=groups: compute(groups))  # type: ignore[misc]
        print(f"{reference_set:12}{plain_seconds:9.2f}{our_seconds:9.4f}", end="")
        print(f"{plain_seconds / our_seconds:7.0f}x")


def _plain(group: GoldGroup) -> list[tuple[int, int, int]]:
    annotations = [parse_annotation(text) for text in group.gold if text is not None]
    return [
        row
        for hypothesis in group.hypotheses
        for row in plain_counts(group.source, hypothesis, annotations)
    ]


def time_systems(pool: ProcessPoolExecutor) -> None:
    """Print the seconds of whole systems on one process and on two."""
    print(f"\n{'references':12}{'systems':>8}{'original s':>24}{'asked s':>9}", end="")
    print(f"{'1 process':>11}{'2 processes':>13}{'peak MB':>9}{'worker MB':>11}")
    for reference_set, systems, original, asked in WORK:
        groups = conll14_groups(SHARED, reference_set, systems)
        parts = shares(groups)
        one = seconds(lambda groups=groups: compute(groups))  # type: ignore[misc]
        two = seconds(lambda parts=parts: list(pool.map(compute, parts)))  # type: ignore[misc]
        worker = max(pool.map(peak_megabytes, range(4 * PROCESSES)))
        print(f"{reference_set:12}{len(systems):8}{original:>24}{asked:9.1f}", end="")
        print(f"{one:11.2f}{two:13.2f}{peak_megabytes():9.0f}{worker:11.0f}")


def time_long_sentences() -> None:
    """Print the seconds for sentences of which no word is kept."""
    print(f"\n{'words, none kept':18}{'seconds':>9}{'approximated':>14}{'peak MB':>9}")
    for size in (30, 50, 1000, 2000):
        source, hypothesis = (
            " ".join(f"{side}{number}" for number in range(size)) for side in "ab"
        )
        groups = [GoldGroup(source, ("",), (hypothesis,))]
        duration = seconds(lambda groups=groups: compute(groups))  # type: ignore[misc]
        approximated = compute(groups)[0][0, 0, 3]
        flag = "yes" if approximated else "no"
        print(f"{size:<18}{duration:9.3f}{flag:>14}{peak_megabytes():9.0f}")


if __name__ == "__main__":
    if not SHARED.is_dir():
        raise SystemExit("needs CoNLL-2014 in ../shared, beside this checkout")
    print(f"{psutil.cpu_count()} processors")
    compute([GoldGroup("a b", ("",), ("a c",))])
    compare_with_plain_port()
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as executor:
        warm = [GoldGroup("a b", ("",), ("a c",))] * SAMPLE
        list(executor.map(compute, [warm] * 4 * PROCESSES))
        time_systems(executor)
    time_long_sentences()
