"""A build that is killed while it scores loses at most the chunks in progress."""

import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb
import psutil
import pytest
from building import (
    OF_FAST_FAMILIES,
    OF_MOST_TEXTS,
    attempt,
    forgotten,
    invocation,
    query,
    run,
    spooled,
    value,
)

REQUESTS = {
    "text_parses": f"select count(*) from caches.parse_requests where {OF_MOST_TEXTS}",
    "metric_statistics": f"select count(*) from caches.scoring_requests where {OF_FAST_FAMILIES}",
}
PATIENCE = 600  # seconds within which the first chunk must exist
# Their inputs are unchanged: only these two have to be computed again.
SELECTION = ("run", "--select", *REQUESTS)
# As text, in which NaN is equal to itself.
STATISTICS = (
    "select * replace (statistics::varchar as statistics) "
    "from caches.metric_statistics order by all"
)

# The spool's files, with the times when they were written.
Chunks = dict[Path, int]


@dataclass
class Killed:
    """The state after a build was killed at a model, and after the next build."""

    workers: list[psutil.Process]
    publishing: "subprocess.CompletedProcess[str]"
    chunks_left: Chunks
    taken_up: Chunks
    n_rows_spooled: int


@pytest.fixture(scope="module")
def warehouse(sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, without most parses and without the statistics that are computed fast."""
    folder = tmp_path_factory.mktemp("killed") / "warehouse"
    return forgotten(sample_warehouse, folder)


@pytest.fixture(scope="module")
def killed(warehouse: Path) -> dict[str, Killed]:
    """Builds killed at each of the models, each continued by the next one."""
    killed_builds: dict[str, Killed] = {}
    for model in REQUESTS:
        workers = kill_at_the_first_chunk(warehouse, model)
        if "text_parses" in killed_builds:
            look_at_the_chunks(killed_builds["text_parses"], warehouse, "text_parses")
        chunks_left = chunks(warehouse, model)
        killed_builds[model] = Killed(
            workers, attempt("maege", warehouse, "publish"), chunks_left, {}, 0
        )
    run("dbt", warehouse, *SELECTION)
    look_at_the_chunks(killed_builds["metric_statistics"], warehouse, "metric_statistics")
    return killed_builds


def chunks(warehouse: Path, model: str) -> Chunks:
    return {path: path.stat().st_mtime_ns for path in spooled(warehouse, model)}


def look_at_the_chunks(killed: Killed, warehouse: Path, model: str) -> None:
    """Record the content of the spool, which the build after the next deletes."""
    killed.taken_up = chunks(warehouse, model)
    paths = [str(path) for path in killed.taken_up]
    (rows,) = duckdb.sql("select count(*) from read_parquet($1)", params=[paths]).fetchall()
    killed.n_rows_spooled = rows[0]


def kill_at_the_first_chunk(warehouse: Path, model: str) -> list[psutil.Process]:
    """Kill a build with -9 while the model computes; return the processes it leaves behind."""
    with subprocess.Popen(
        **invocation("dbt", warehouse, *SELECTION),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as build:
        deadline = time.monotonic() + PATIENCE
        while not spooled(warehouse, model):
            if build.poll() is not None or time.monotonic() > deadline:
                build.kill()
                pytest.fail(
                    f"no chunk of {model} was finished; the build's exit code is {build.poll()}"
                )
            time.sleep(0.005)
        workers = psutil.Process(build.pid).children(recursive=True)
        build.kill()
    assert build.returncode == -signal.SIGKILL
    return workers


@pytest.mark.parametrize("model", REQUESTS)
def test_a_killed_build_leaves_no_process_and_is_not_published(
    model: str, killed: dict[str, Killed]
) -> None:
    # No worker starts for the few texts that have to be parsed.
    assert killed["metric_statistics"].workers
    _, alive = psutil.wait_procs(killed[model].workers, timeout=30)
    assert alive == []
    assert killed[model].publishing.returncode == 1
    assert "The last build was interrupted" in killed[model].publishing.stdout


@pytest.mark.parametrize("model", REQUESTS)
def test_a_killed_build_is_taken_up_where_it_was(
    model: str, killed: dict[str, Killed], warehouse: Path
) -> None:
    # Stored chunks are not computed again: they stay unchanged and share no request.
    assert killed[model].chunks_left.items() <= killed[model].taken_up.items()
    assert len(killed[model].chunks_left) < len(killed[model].taken_up)
    assert killed[model].n_rows_spooled == value(warehouse, REQUESTS[model])


def test_builds_killed_twice_end_with_the_statistics_of_one_that_was_not(
    killed: dict[str, Killed], warehouse: Path, sample_warehouse: Path
) -> None:
    assert len(killed) == len(REQUESTS)
    assert query(warehouse, STATISTICS) == query(sample_warehouse, STATISTICS)
