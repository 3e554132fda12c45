"""A build that is killed while it scores loses at most the chunks in progress."""

import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from building import OF_FAST_FAMILIES, attempt, forgotten, invocation, query, run, spooled, value

MODEL = "metric_statistics"
REQUESTS = f"select count(*) from caches.scoring_requests where {OF_FAST_FAMILIES}"
PATIENCE = 600  # seconds within which the first chunk must exist
# Their inputs are unchanged: only these two have to be computed again.
SELECTION = ("run", "--select", "text_parses", MODEL)
# As text, in which NaN is equal to itself.
STATISTICS = (
    "select * replace (statistics::varchar as statistics) "
    "from caches.metric_statistics order by all"
)

# The spool's files, with the times when they were written.
Chunks = dict[Path, int]


@dataclass
class Killed:
    """The state after a build was killed, and after the next build."""

    warehouse: Path
    workers: list[psutil.Process]
    publishing: "subprocess.CompletedProcess[str]"
    chunks_left: Chunks
    taken_up: Chunks


@pytest.fixture(scope="module")
def killed(sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """The sample without the statistics that are computed fast; a killed build, and the next."""
    warehouse = forgotten(sample_warehouse, tmp_path_factory.mktemp("killed") / "warehouse")
    workers = kill_at_the_first_chunk(warehouse)
    chunks_left = chunks(warehouse)
    publishing = attempt("maege", warehouse, "publish")
    run("dbt", warehouse, *SELECTION)
    return Killed(warehouse, workers, publishing, chunks_left, chunks(warehouse))


def chunks(warehouse: Path) -> Chunks:
    return {path: path.stat().st_mtime_ns for path in spooled(warehouse, MODEL)}


def kill_at_the_first_chunk(warehouse: Path) -> list[psutil.Process]:
    """Kill a build with -9 while the model computes; return the processes it leaves behind."""
    with subprocess.Popen(
        **invocation("dbt", warehouse, *SELECTION),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as build:
        deadline = time.monotonic() + PATIENCE
        while not spooled(warehouse, MODEL):
            if build.poll() is not None or time.monotonic() > deadline:
                build.kill()
                pytest.fail(f"no chunk was finished; the build's exit code is {build.poll()}")
            time.sleep(0.005)
        workers = psutil.Process(build.pid).children(recursive=True)
        build.kill()
    assert build.returncode == -signal.SIGKILL
    return workers


def test_a_killed_build_leaves_no_process_and_is_not_published(killed: Killed) -> None:
    assert killed.workers
    _, alive = psutil.wait_procs(killed.workers, timeout=30)
    assert alive == []
    assert killed.publishing.returncode == 1
    assert "The last build was interrupted" in killed.publishing.stdout


def test_the_next_build_resumes_and_has_the_same_statistics(
    killed: Killed, sample_warehouse: Path
) -> None:
    # Stored chunks are not computed again: they stay unchanged and share no request.
    assert killed.chunks_left.items() <= killed.taken_up.items()
    assert len(killed.chunks_left) < len(killed.taken_up)
    paths = [str(path) for path in killed.taken_up]
    n_rows = value(killed.warehouse, "select count(*) from read_parquet($1)", paths)
    assert n_rows == value(killed.warehouse, REQUESTS)
    assert query(killed.warehouse, STATISTICS) == query(sample_warehouse, STATISTICS)
