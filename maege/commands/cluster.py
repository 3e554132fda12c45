"""The cluster for builds: its workers, and differences between them and this machine."""

from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table

from maege.analysis.languagetool.installation import VERSIONS
from maege.analysis.workers.pool import ClusterError, scheduler_of

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

        found = cluster_state(scheduler)
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
        for state in found
    ]
    broken = [
        f"{worker.address}: {'; '.join(worker.unlike)}" for worker in workers if worker.unlike
    ]
    if broken:
        broken.append("Install the same versions there, or end these workers (docs/cluster.md).")
    return ClusterState(scheduler, workers, broken)


def show_cluster(state: ClusterState, console: Console) -> None:
    """Print the state of the cluster within the console's width."""
    cores = sum(worker.cores for worker in state.workers)
    memory = sum(worker.memory_bytes for worker in state.workers) / GIGABYTE
    size = f"{len(state.workers)} workers, {cores} cores, {memory:.1f} GB"
    console.print(f"\nCluster {state.scheduler}: {size}", soft_wrap=False)
    if state.workers:
        table = Table(box=None, pad_edge=False)
        for column in ("worker", "cores", "memory", "Python", "LanguageTool", ""):
            table.add_column(column, overflow="fold")
        for worker in state.workers[:WORKERS_SHOWN]:
            table.add_row(
                worker.address,
                str(worker.cores),
                f"{worker.memory_bytes / GIGABYTE:.1f} GB",
                worker.versions.get("Python", "-"),
                ", ".join(worker.languagetool) or "-",
                "differs" if worker.unlike else "as here",
            )
        console.print(table)
    if len(state.workers) > WORKERS_SHOWN:
        console.print(f"and {len(state.workers) - WORKERS_SHOWN} more (maege doctor --json)")
    if any(worker.cores > 1 for worker in state.workers):
        console.print(
            "A worker computes one chunk at a time, whatever its threads: --nthreads 1 --nworkers N"
        )
    for line in state.broken:
        console.print(line)
