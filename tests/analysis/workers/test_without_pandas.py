"""Processes that do without pandas."""

import subprocess
import sys
from pathlib import Path

# DuckDB looks for pandas among parameters, pyarrow when it makes an array.
PROGRAM = """
import sys
import duckdb
from analysis.workers.without_pandas import without_pandas

with without_pandas():
    print(duckdb.connect().execute("select ? + 1", [1]).fetchone()[0], "pandas" in sys.modules)
import pandas
print(pandas.DataFrame({"a": [1]}).shape)
"""


def test_pandas_is_not_imported_until_it_is_asked_for(repository: Path) -> None:
    command = [sys.executable, "-c", PROGRAM]
    said = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == ["2 False", "(1, 1)"]
