"""What dbt does for us before it parses the project."""

import os
import subprocess
import sys

import pytest

# A process for each number of threads that is asked for: copies of one that has imported dbt.
STARTED = """
import os, sys
from argparse import Namespace
from dbt.flags import set_from_args
import dbt_maege
set_from_args(Namespace(which="build"), {})
for asked in ("", "4"):
    if os.fork():
        assert os.wait()[1] == 0, asked
        continue
    if asked:
        os.environ["OPENBLAS_NUM_THREADS"] = asked
    dbt_maege.OneBuild("maege").initialize()
    print("numpy" in sys.modules, os.environ.get("OPENBLAS_NUM_THREADS"))
    sys.exit()
"""


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Whether NumPy is there when dbt starts with `build`, and its number of threads."""
    inherited = {name: v for name, v in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    warehouse = tmp_path_factory.mktemp("warehouse")
    return subprocess.run(
        [sys.executable, "-c", STARTED],
        env={**inherited, "MAEGE_WAREHOUSE": str(warehouse)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()


def test_a_build_multiplies_matrices_in_one_thread(started: list[str]) -> None:
    assert started[0] == "False 1"


def test_who_says_how_many_threads_there_are_is_heard(started: list[str]) -> None:
    assert started[1] == "False 4"
