"""Kernels are compiled once for all processes that need them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# `_below` calls nothing; `update` calls it, so that one lock is taken inside another.
PROGRAM = """
import numpy as np
from analysis.statistics import trueskill, trueskill_lanes as lanes

trueskill.trueskill_update(trueskill.Rating(0, 1), trueskill.Rating(0, 1), 1, 0.5)
kernels = (lanes._below, lanes._density, lanes.update)
print(*(sum(kernel.stats.cache_misses.values()) for kernel in kernels))
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
    printed = [process.communicate()[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    first, second = ([int(count) for count in counts] for counts in printed)
    # The one that comes second needs nothing but the outermost.
    assert sorted([first, second]) == [[0, 0, 0], [1, 1, 1]]
