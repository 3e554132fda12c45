"""What dbt does for us before it parses the project."""

import os
import subprocess
import sys
from pathlib import Path

STARTED = """
import os, sys
from argparse import Namespace
from dbt.flags import set_from_args
import dbt_maege
set_from_args(Namespace(which=sys.argv[1]), {})
dbt_maege.OneBuild("maege").initialize()
print("numpy" in sys.modules, os.environ.get("OPENBLAS_NUM_THREADS"))
"""


def started(command: str, folder: Path, **environment: str) -> str:
    """Return whether NumPy is there when dbt starts with a command, and its number of threads."""
    inherited = {name: v for name, v in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    return subprocess.run(
        [sys.executable, "-c", STARTED, command],
        env={**inherited, "MAEGE_WAREHOUSE": str(folder), **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_a_build_multiplies_matrices_in_one_thread(tmp_path: Path) -> None:
    assert started("build", tmp_path) == "False 1\n"


def test_who_says_how_many_threads_there_are_is_heard(tmp_path: Path) -> None:
    assert started("build", tmp_path, OPENBLAS_NUM_THREADS="4") == "False 4\n"
