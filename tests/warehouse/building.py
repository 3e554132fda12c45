"""Warehouses in temporary folders: the commands that fill them, and queries on them.

dbt keeps a parsed project for one path of the build file only. It therefore runs in the folder
around the warehouse, which has links to the checkout: from there the build file has the same path
in every copy of a warehouse, and a copy need not parse the project again.
"""

import atexit
import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from forking import Origin

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAMS = Path(sys.executable).parent
LINES_SHOWN = 60
PROJECT = ("analysis", "dbt_project.yml", "macros", "models", "profiles.yml", "seeds", "tests")
# Unit tests of models read no warehouse: they run only in the first build of the sample.
BUILD = ("build", "--exclude-resource-type", "unit_test")
BUILD_WITHOUT_TESTS = (*BUILD, "--exclude-resource-type", "test")
OF_MOST_TEXTS = "abs(text_id) % 5 > 1"
OF_FAST_FAMILIES = "family in ('bleu', 'gleu', 'sari', 'sari_single')"
# Another order of all sets than in the builds for comparison.
ANEW = {"PYTHONHASHSEED": "random"}

Rows = list[tuple[Any, ...]]
# The value of the fixture peer_rows.
PeerRows = Callable[[str], list[dict[str, str]]]


def invocation(
    program: str, warehouse: Path, *arguments: str | Path, **changes: str
) -> dict[str, Any]:
    """Return the arguments of a subprocess; keyword arguments are environment variables."""
    line = [str(PROGRAMS / program), *map(str, arguments)]
    if program != "dbt":
        return {"args": line, "cwd": REPOSITORY, "env": environment(warehouse, **changes)}
    folder = project_around(warehouse)
    # Files that dbt writes next to the warehouse stay in its folder.
    scratch = f"{warehouse.name}/dbt"
    line += ["--quiet", "--target-path", scratch, "--log-path", scratch]
    line += ["--log-level-file", "none"]
    changes = {"MAEGE_WAREHOUSE": warehouse.name, **changes}
    return {"args": line, "cwd": folder, "env": environment(warehouse, **changes)}


def project_around(warehouse: Path) -> Path:
    """Return the folder around the warehouse, after linking the project there."""
    for name in PROJECT:
        link = warehouse.parent / name
        if not link.is_symlink():
            link.symlink_to(REPOSITORY / name)
    return warehouse.parent


def environment(warehouse: Path, **changes: str) -> dict[str, str]:
    """Return the environment of a command on the warehouse, without LanguageTool."""
    alone = {
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
    return {**os.environ, **alone, **changes}


def attempt(
    program: str, warehouse: Path, *arguments: str | Path, **changes: str
) -> subprocess.CompletedProcess[str]:
    """Return how the command ended; keyword arguments are environment variables.

    If some are about Python itself, a new process is started.
    """
    started = invocation(program, warehouse, *arguments, **changes)
    if program == "dbt" and not any(name.startswith("PYTHON") for name in changes):
        return origin().run(**started)
    return subprocess.run(
        **started,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


@cache
def origin() -> Origin:
    """Return the process whose copies become dbt."""
    process = Origin(environment(Path("warehouse")))
    atexit.register(process.close)
    return process


def run(program: str, warehouse: Path, *arguments: str | Path, **changes: str) -> str:
    """Return the output of a command that must succeed."""
    completed = attempt(program, warehouse, *arguments, **changes)
    if completed.returncode:
        shown = "\n".join(completed.stdout.splitlines()[-LINES_SHOWN:])
        pytest.fail(f"{program} {' '.join(map(str, arguments))} failed:\n{shown}", pytrace=False)
    return completed.stdout


def ran(warehouse: Path, *arguments: str) -> set[str]:
    """Build; return the names of rebuilt tables, among those that a build may skip."""
    run("dbt", warehouse, "build", *arguments, DBT_WRITE_JSON="true")
    results = json.loads((warehouse / "dbt" / "run_results.json").read_text())["results"]
    run_models = {r["unique_id"].split(".")[2] for r in results if r["message"] != "UNCHANGED"}
    relations = query(warehouse, "select relation from ops.fingerprints")
    return run_models & {relation.split(".")[-1].strip('"') for (relation,) in relations}


def default_metrics() -> list[str]:
    """Return the metrics that a build scores by default."""
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
    """Return dbt's option that sets variables of the project."""
    return "--vars", json.dumps(values)


def made_once(folder: Path, make: Callable[[Path], None]) -> Path:
    """Return the folder, which one of the test processes creates while the others wait.

    The folder `folder / "warehouse"` is the place of a warehouse.
    """
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        failed, finished = folder / "failed", folder / "made"
        if failed.exists():
            pytest.fail(f"another process could not make {folder}", pytrace=False)
        if not finished.exists():
            failed.touch()
            make(folder)
            failed.rename(finished)
    return folder


def copy_of(warehouse: Path, folder: Path) -> Path:
    """Return a copy for changes, with dbt's parsed project, so that dbt starts fast."""
    shutil.copytree(warehouse, folder)
    return folder


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
    """Run a statement on the build file without dbt."""
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute(sql)


def query(warehouse: Path, sql: str, *parameters: Any, file: str = "build.duckdb") -> Rows:
    """Return the rows of a query on a file of the warehouse."""
    with duckdb.connect(warehouse / file, read_only=True) as connection:
        return connection.execute(sql, parameters or None).fetchall()


def value(warehouse: Path, sql: str, *parameters: Any) -> Any:
    """Return the single value of a query on the build file."""
    rows = query(warehouse, sql, *parameters)
    assert len(rows) == 1, rows
    assert len(rows[0]) == 1, rows
    return rows[0][0]


def mart_names(warehouse: Path) -> list[str]:
    """Return the names of all marts of the build."""
    rows = query(
        warehouse,
        "select table_name from information_schema.tables where table_schema = 'marts' "
        "order by all",
    )
    return [name for (name,) in rows]


def exported_marts(warehouse: Path, folder: Path, without: str = "ingested_at") -> dict[str, bytes]:
    """Return every mart as the bytes of a sorted CSV file, without the columns of that name."""
    folder.mkdir()
    exported = {}
    with duckdb.connect(warehouse / "build.duckdb", read_only=True) as connection:
        for name in mart_names(warehouse):
            path = folder / f"{name}.csv"
            connection.execute(
                f"copy (select columns(c -> c <> '{without}') from marts.{name} order by all) "
                f"to '{path}' (header)"
            )
            exported[name] = path.read_bytes()
    return exported


def spooled(warehouse: Path, model: str = "*") -> list[Path]:
    """Return the files of finished chunks that await appending or were appended last."""
    return sorted((warehouse / "spool").glob(f"{model}/*.parquet"))
