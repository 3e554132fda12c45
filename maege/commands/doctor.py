"""`maege doctor`: the state of the installation, the warehouse and the cluster, with advice."""

from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

import duckdb
from rich.console import Console
from rich.table import Table

from maege.building.disk import DiskUse, disk_use
from maege.building.publication import staleness
from maege.commands.cluster import ClusterState, find_cluster, show_cluster
from maege.commands.installed import Library, Tool, libraries, tools
from maege.ingest.raw_tables import ingest_again, outdated_corpora
from maege.ingest.readings import readings
from maege.ingest.warehouse import (
    LastBuild,
    Warehouse,
    WarehouseBusyError,
    WarehouseError,
    last_build,
    open_build,
    open_marts,
)

WIDTH = 80
FAILURES_SHOWN = 5


@dataclass(frozen=True)
class IngestedCorpus:
    """Numbers of sentences, annotation sets, references and systems of an ingested corpus.

    `ingested_at` is in UTC.
    """

    corpus: str
    sentences: int
    annotation_sets: int
    reference_sets: int
    systems: int
    ingested_at: datetime


@dataclass
class WarehouseState:
    """The state of the warehouse: `advice` is what to run next, `broken` lists faults to fix.

    `readings` describe how missing annotations of the corpora are interpreted.
    """

    folder: str
    database: str
    corpora: list[IngestedCorpus] = field(default_factory=list)
    readings: list[str] = field(default_factory=list)
    build: LastBuild | None = None
    published_at: datetime | None = None
    disk: DiskUse | None = None
    broken: list[str] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Diagnosis:
    """All results of `maege doctor`."""

    libraries: list[Library]
    tools: list[Tool]
    warehouse: WarehouseState
    cluster: ClusterState | None = None

    @property
    def healthy(self) -> bool:
        """Whether everything required is installed and works."""
        broken = self.warehouse.broken or (self.cluster is not None and self.cluster.broken)
        return all(library.good for library in self.libraries) and not broken

    def as_record(self) -> dict[str, Any]:
        """Return the diagnosis as plain values; times in ISO 8601, UTC."""
        return {"healthy": self.healthy, **asdict(self)}


def diagnose(warehouse: Warehouse) -> Diagnosis:
    """Return the state of the installation, the warehouse and the cluster."""
    return Diagnosis(libraries(), tools(), inspect_warehouse(warehouse), find_cluster())


def inspect_warehouse(warehouse: Warehouse) -> WarehouseState:
    """Return the state of corpora, build and marts, without changing anything."""
    state = WarehouseState(str(warehouse.folder), "absent", disk=disk_use(warehouse))
    if warehouse.marts.is_file():
        changed = datetime.fromtimestamp(warehouse.marts.stat().st_mtime, UTC)
        state.published_at = changed.replace(tzinfo=None)
        try:
            open_marts(warehouse).close()
        except WarehouseError as error:
            state.broken.append(str(error))
    if not warehouse.build.is_file():
        state.advice.append("Nothing is ingested yet: make build")
        return state
    try:
        with open_build(warehouse, read_only=True) as connection:
            state.database = "open"
            if outdated := outdated_corpora(connection):
                state.broken.append(f"{warehouse.build}: {ingest_again(outdated)}.")
                return state
            state.corpora = _ingested(connection)
            state.readings = _readings(connection) if state.corpora else []
            state.build = last_build(connection)
            stale = None if state.build.status == "never" else staleness(connection)
    except WarehouseBusyError as error:
        state.database = "in use"
        state.advice.append(str(error))
        return state
    except (WarehouseError, duckdb.Error) as error:
        state.database = "broken"
        state.broken.append(str(error))
        return state
    _judge(state, state.build, stale)
    return state


def _ingested(connection: duckdb.DuckDBPyConnection) -> list[IngestedCorpus]:
    recorded = connection.execute(
        "select count(*) from duckdb_tables() where schema_name = 'raw' and table_name = 'corpora'"
    ).fetchone()
    if recorded != (1,):
        return []
    rows = connection.execute(
        """
        select
            corpus,
            n_sentences,
            (select count(distinct annotation_set) from raw.annotators
             where annotators.corpus = corpora.corpus),
            (select count(*) from raw.reference_sets
             where reference_sets.corpus = corpora.corpus),
            (select count(*) from raw.files
             where files.corpus = corpora.corpus and files.role = 'system'),
            ingested_at
        from raw.corpora
        order by corpus
        """
    ).fetchall()
    return [IngestedCorpus(*row) for row in rows]


def _readings(connection: duckdb.DuckDBPyConnection) -> list[str]:
    try:
        return readings(connection)
    except (duckdb.BinderException, duckdb.CatalogException):
        # An older version lacks some tables until the next ingest or build.
        return []


def _judge(state: WarehouseState, build: LastBuild, stale: str | None) -> None:
    if not state.corpora:
        state.advice.append("Nothing is ingested yet: maege ingest corpora/sample")
        return
    if build.status == "interrupted":
        state.broken.append("The last build was interrupted. Run it again: maege build")
        return
    if build.status == "failed":
        nodes = [f"{node} ({status})" for node, status in build.failures[:FAILURES_SHOWN]]
        more = len(build.failures) - len(nodes)
        state.broken.append(
            f"The last build did not pass: {', '.join(nodes)}"
            + (f" and {more} more." if more else ".")
            + " Correct the cause, then: maege build"
        )
        return
    if build.finished_at is None:
        state.advice.append("Nothing is built yet: maege build")
        return
    newest = max(corpus.ingested_at for corpus in state.corpora)
    if newest > build.finished_at:
        state.advice.append("The data are newer than the last build: maege build")
    elif stale is not None:
        state.advice.append(stale)
    elif state.published_at is None:
        state.advice.append("The marts are not published yet: maege publish")
    elif state.published_at < build.finished_at:
        state.advice.append("The published marts are older than the last build: maege publish")


def show(diagnosis: Diagnosis, console: Console) -> None:
    """Print the diagnosis within 80 columns."""
    console.width = min(console.width, WIDTH)
    _show_libraries(diagnosis.libraries, console)
    _show_tools(diagnosis.tools, console)
    _show_warehouse(diagnosis.warehouse, console)
    if diagnosis.cluster is not None:
        show_cluster(diagnosis.cluster, console)
    console.print()
    console.print("Healthy." if diagnosis.healthy else "Not healthy: see above.")


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _show_libraries(found: list[Library], console: Console) -> None:
    table = _table("Required", "installed", "wanted", "")
    for library in found:
        state = "ok" if library.good else "wrong version" if library.installed else "missing"
        table.add_row(library.name, library.installed or "-", library.required, state)
    console.print(table)
    if not all(library.good for library in found):
        console.print("Install what is locked: pip install -r requirements.lock")


def _show_tools(found: list[Tool], console: Console) -> None:
    console.print()
    table = _table("Optional", "installed", "what it enables")
    for tool in found:
        table.add_row(tool.name, tool.detail if tool.available else "-", tool.enables)
    console.print(table)
    missing = [tool for tool in found if not tool.available]
    if missing:
        console.print("\nTo install what is missing:")
        for remedy in dict.fromkeys(tool.remedy for tool in missing):
            console.print(f"  {remedy}", markup=False)


def _show_warehouse(state: WarehouseState, console: Console) -> None:
    console.print(f"\nWarehouse {state.folder}: database {state.database}", soft_wrap=False)
    if state.corpora:
        table = _table("corpus", "sentences", "annotations", "references", "systems", "ingested")
        for corpus in state.corpora:
            table.add_row(
                corpus.corpus,
                str(corpus.sentences),
                str(corpus.annotation_sets),
                str(corpus.reference_sets),
                str(corpus.systems),
                _moment(corpus.ingested_at),
            )
        console.print(table)
        for line in state.readings:
            console.print(line)
    if state.build is not None:
        at = f" at {_moment(state.build.finished_at)}" if state.build.finished_at else ""
        console.print(f"Last build: {state.build.status}{at}")
    published = f"at {_moment(state.published_at)}" if state.published_at else "never"
    console.print(f"Marts published: {published}")
    if state.disk is not None:
        console.print(str(state.disk))
    for line in state.broken + state.advice:
        console.print(line)


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
