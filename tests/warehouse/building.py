"""Warehouses in temporary folders: the commands that fill them, and queries on them.

dbt keeps a parsed project for one path of the build file only. It therefore runs in the folder
around the warehouse, which has links to the checkout: from there the build file has the same path
in every copy of a warehouse, and a copy need not parse the project again.
"""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from forking import run_in_copy

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAMS = Path(sys.executable).parent
LINES_SHOWN = 60
SECONDS_TO_FIRST_CHUNK = 600
PROJECT = ("analysis", "dbt_project.yml", "macros", "models", "profiles.yml", "seeds", "tests")
# Unit tests of models read no warehouse: they run only once (test_sample_warehouse.py).
BUILD = ("build", "--exclude-resource-type", "unit_test")
BUILD_WITHOUT_TESTS = (*BUILD, "--exclude-resource-type", "test")
OF_MOST_TEXTS = "abs(text_id) % 5 > 1"
OF_FAST_FAMILIES = "family in ('bleu', 'gleu', 'sari', 'sari_single')"

Rows = list[tuple[Any, ...]]
# The value of the fixture peer_rows.
PeerRows = Callable[[str], list[dict[str, str]]]


def invocation(
    program: str, warehouse: Path, *arguments: str | Path, **changes: str
) -> dict[str, Any]:
    line = [str(PROGRAMS / program), *map(str, arguments)]
    if program == "maege" and arguments[0] != "build":
        return {"args": line, "cwd": REPOSITORY, "env": environment(warehouse, **changes)}
    folder = project_around(warehouse)
    if program == "dbt":
        line.append("--quiet")
    # Files that dbt writes next to the warehouse stay in its folder.
    scratch = f"{warehouse.name}/dbt"
    paths = {"DBT_TARGET_PATH": scratch, "DBT_LOG_PATH": scratch, "DBT_LOG_LEVEL_FILE": "none"}
    changes = {"MAEGE_WAREHOUSE": warehouse.name, **paths, **changes}
    return {"args": line, "cwd": folder, "env": environment(warehouse, **changes)}


def project_around(warehouse: Path) -> Path:
    for name in PROJECT:
        link = warehouse.parent / name
        if not link.is_symlink():
            link.symlink_to(REPOSITORY / name)
    return warehouse.parent


def environment(warehouse: Path, **changes: str) -> dict[str, str]:
    isolated = {
        "MAEGE_WAREHOUSE": str(warehouse),
        "LANGUAGETOOL_HOME": str(warehouse / "no_languagetool"),
        "LANGUAGETOOL_URL": "",
        "XDG_CACHE_HOME": str(warehouse / "no_cache"),
        "NO_COLOR": "1",
        # Files about the project and the results of nodes, which dbt does not read.
        "DBT_WRITE_JSON": "false",
        # Another process uses the other processor, and two threads compete for one interpreter:
        # with one thread a build of the sample takes a sixth less CPU time.
        "MAEGE_THREADS": "1",
        # Imported from the checkout itself, where compiled kernels are cached.
        "PYTHONPATH": str(REPOSITORY),
    }
    return {**os.environ, **isolated, **changes}


def attempt(
    program: str, warehouse: Path, *arguments: str | Path, **changes: str
) -> subprocess.CompletedProcess[str]:
    """Return how the command ended; keyword arguments are environment variables.

    If some are about Python itself, a new process is started.
    """
    started = invocation(program, warehouse, *arguments, **changes)
    if program == "dbt" and not any(name.startswith("PYTHON") for name in changes):
        return run_in_copy(**started)
    return subprocess.run(
        **started,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def run(program: str, warehouse: Path, *arguments: str | Path, **changes: str) -> str:
    completed = attempt(program, warehouse, *arguments, **changes)
    if completed.returncode:
        shown = "\n".join(completed.stdout.splitlines()[-LINES_SHOWN:])
        pytest.fail(f"{program} {' '.join(map(str, arguments))} failed:\n{shown}", pytrace=False)
    return completed.stdout


def ran(warehouse: Path, *arguments: str) -> set[str]:
    """Build; return the names of rebuilt tables, among those that a build may skip."""
    run("dbt", warehouse, "build", *arguments, DBT_WRITE_JSON="true")
    results = json.loads((warehouse / "dbt" / "run_results.json").read_text())["results"]
    rebuilt = {r["unique_id"].split(".")[2] for r in results if r["message"] != "UNCHANGED"}
    skippable = query(warehouse, "select relation from ops.fingerprints")
    return rebuilt & {relation.split(".")[-1].strip('"') for (relation,) in skippable}


def default_metrics() -> list[str]:
    project = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text(encoding="utf-8"))
    return list(project["vars"]["metrics"])


# Few resamples and random orders, for tests that do not read their numbers.
FEW_RESAMPLES = {
    "bootstrap_samples": 100,
    "test_resamples": 100,
    "crowd_redraws": 20,
    "trueskill_runs": 10,
    "workers": 1,
}


def variables(**values: Any) -> tuple[str, str]:
    return "--vars", json.dumps(values)


def made_once(folder: Path, make: Callable[[Path], None]) -> Path:
    """Return the folder, which one of the test processes creates while the others wait.

    The folder `folder / "warehouse"` is the place of a warehouse.
    """
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        failed, done_file = folder / "failed", folder / "made"
        if failed.exists():
            pytest.fail(f"another process could not make {folder}", pytrace=False)
        if not done_file.exists():
            failed.touch()
            make(folder)
            failed.rename(done_file)
    return folder


def copy_of(warehouse: Path, folder: Path) -> Path:
    return shutil.copytree(warehouse, folder, symlinks=True)


def forgotten(warehouse: Path, folder: Path) -> Path:
    """Return a copy without most parses and without the statistics that are computed fast.

    The next build computes both again, in several chunks each.
    """
    copy = copy_of(warehouse, folder)
    change(copy, f"delete from caches.text_parses where {OF_MOST_TEXTS}")
    change(copy, f"delete from caches.metric_statistics where {OF_FAST_FAMILIES}")
    shutil.rmtree(copy / "spool")
    return copy


def change(warehouse: Path, sql: str) -> None:
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute(sql)


def query(warehouse: Path, sql: str, *parameters: Any, file: str = "build.duckdb") -> Rows:
    with duckdb.connect(warehouse / file, read_only=True) as connection:
        return connection.execute(sql, parameters or None).fetchall()


def value(warehouse: Path, sql: str, *parameters: Any) -> Any:
    rows = query(warehouse, sql, *parameters)
    assert len(rows) == 1, rows
    assert len(rows[0]) == 1, rows
    return rows[0][0]


def mart_names(warehouse: Path) -> list[str]:
    rows = query(
        warehouse,
        "select table_name from information_schema.tables where table_schema = 'marts' "
        "order by all",
    )
    return [name for (name,) in rows]


def differing_marts(first: Path, second: Path) -> list[str]:
    """Return the names of marts with other rows, apart from times of ingestion."""
    names = mart_names(first)
    assert mart_names(second) == names
    return [name for name in names if mart_hash(first, name) != mart_hash(second, name)]


def mart_hash(warehouse: Path, name: str) -> Rows:
    rows = f"select columns(c -> c <> 'ingested_at') from marts.{name}"
    # As text, in which NaN is equal to itself.
    return query(warehouse, f"select count(*), sum(hash(mart::varchar)) from ({rows}) as mart")


def spooled(warehouse: Path, model: str = "*") -> list[Path]:
    """Return the files of finished chunks that await appending or were appended last."""
    return sorted((warehouse / "spool").glob(f"{model}/*.parquet"))


@contextmanager
def build_with_a_chunk(warehouse: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """Yield a build of parses and statistics that has finished its first chunk of statistics."""
    selection = ("run", "--select", "text_parses", "metric_statistics", *arguments)
    with subprocess.Popen(
        **invocation("dbt", warehouse, *selection),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as build:
        deadline = time.monotonic() + SECONDS_TO_FIRST_CHUNK
        while not spooled(warehouse, "metric_statistics"):
            if build.poll() is not None or time.monotonic() > deadline:
                build.kill()
                pytest.fail(f"no chunk was finished: {build.communicate()[0]}", pytrace=False)
            time.sleep(0.005)
        yield build
