"""A Dask worker keeps the memory that it frees."""

import subprocess
import sys
from pathlib import Path

import pytest

from maege.analysis.workers.memory import EAGER

# Arrays of 1 MB, freed and taken again: each has 256 pages.
PROGRAM = """
import resource
import numpy as np
from maege.analysis.workers.memory import keep_what_is_freed
print(keep_what_is_freed())
np.ones(1 << 17)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(40):
    np.ones(1 << 17)
print((resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) // 40)
"""


def said(repository: Path, **settings: str) -> list[str]:
    environment = {"PYTHONPATH": str(repository), "OPENBLAS_NUM_THREADS": "1", **settings}
    program = [sys.executable, "-c", PROGRAM]
    output = subprocess.run(program, env=environment, capture_output=True, text=True, check=True)
    return output.stdout.split()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="mallopt is the GNU C library's")
def test_worker_keeps_memory_despite_its_nanny(
    repository: Path,
) -> None:
    told, faults = said(repository, **dict([EAGER]))
    assert told == "True"
    assert int(faults) < 100


@pytest.mark.parametrize("settings", [{}, {EAGER[0]: "1000000"}])
def test_existing_settings_stay(repository: Path, settings: dict[str, str]) -> None:
    assert said(repository, **settings)[0] == "False"
