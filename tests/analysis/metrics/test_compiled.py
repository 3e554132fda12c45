"""Kernels are compiled once for all processes that need them, with what they call inside."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from analysis.compile_ahead import compile_kernels
from analysis.extraction.errant_merging import edit_spans
from analysis.metrics.compiled import has_compiled_code
from analysis.metrics.imeasure.states import explore
from analysis.metrics.m2.search import count_requests
from analysis.papers.maege_generators import fill_corpus
from analysis.statistics.trueskill_lanes import play_lanes

# `update` is what Python calls; it calls `_measure` and `_normal`.
PROGRAM = """
from analysis.statistics import trueskill, trueskill_lanes

trueskill.trueskill_update(trueskill.Rating(0, 1), trueskill.Rating(0, 1), 1, 0.5)
print(sum(trueskill_lanes.update.stats.cache_misses.values()))
"""

SHARES = """
import numpy as np
from analysis.metrics.compiled import compiled

@compiled
def share(part, whole):
    return part // whole

@compiled
def doubled(wholes):
    return [2 * share(12, whole) for whole in wholes]

print(doubled(np.array([3, 4])), share(12, 5))
try:
    doubled(np.array([3, 0]))
except ZeroDivisionError as error:
    print(error)
"""


@pytest.mark.slow
def test_of_two_processes_one_compiles_and_the_other_reads(
    tmp_path: Path, repository: Path
) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            cwd=repository,
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    printed = [process.communicate()[0].strip() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert sorted(printed) == ["0", "1"]
    # What only kernels call is a part of them.
    assert [path.name.split("-")[0] for path in tmp_path.rglob("*.nbi")] == [
        "trueskill_lanes.update"
    ]


@pytest.mark.slow
def test_a_kernel_is_called_by_kernels_and_python_and_its_errors_arrive(
    tmp_path: Path, repository: Path
) -> None:
    program = tmp_path / "shares.py"
    program.write_text(SHARES)
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(repository),
    }
    # Compiled, then read.
    for _ in range(2):
        printed = subprocess.check_output(
            [sys.executable, str(program)], env=environment, text=True
        )
        assert printed == "[8, 6] 2\ninteger division by zero\n"


@pytest.mark.slow
def test_what_is_compiled_ahead_is_what_builds_call() -> None:
    compile_kernels()
    kernels: tuple[Any, ...] = (count_requests, edit_spans, explore, fill_corpus, play_lanes)
    assert [len(kernel.signatures) for kernel in kernels] == [1, 1, 1, 1, 1]
    assert has_compiled_code()
