"""Builds on a Dask cluster in which a worker is killed."""

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from building import copy_of, forgotten, invocation, query, run, spooled, variables
from dask_processes import Processes, needs_dask, processes

needs_dask()

PATIENCE = 300  # seconds within which the first chunk must exist
MODELS = {
    "caches.text_parses": "pipeline_key, text_id, lemma, pos, tag, dep, head",
    "caches.metric_statistics": "* replace (statistics::varchar as statistics)",
}
SELECTION = ("run", "--select", "text_parses", "metric_statistics")


@pytest.fixture
def cluster(tmp_path: Path, repository: Path) -> Iterator[Processes]:
    """A scheduler with two workers of one thread, which are not restarted."""
    folder = tmp_path / "dask"
    folder.mkdir()
    with processes(folder, repository) as started:
        yield started


@pytest.fixture
def unscored(sample_warehouse: Path, tmp_path: Path) -> Path:
    """The sample without most parses and some statistics, which the next build computes again."""
    return forgotten(sample_warehouse, tmp_path / "warehouse")


def built_until_a_chunk_is_there(
    warehouse: Path, scheduler: str, then: Callable[[], object]
) -> tuple[int, str]:
    """Run a build, call `then` after the first spooled chunk; return exit code and output."""
    line = invocation("dbt", warehouse, *SELECTION, MAEGE_SCHEDULER=scheduler)
    with subprocess.Popen(
        **line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as build:
        deadline = time.monotonic() + PATIENCE
        while not spooled(warehouse, "metric_statistics"):
            if build.poll() is not None or time.monotonic() > deadline:
                build.kill()
                pytest.fail(f"no chunk was finished: {build.communicate()[0]}", pytrace=False)
            time.sleep(0.005)
        then()
        output, _ = build.communicate()
    return build.returncode, output


def assert_the_same(warehouse: Path, undisturbed: Path) -> None:
    """Compare row by row, with NaN as text, so that it is equal to itself."""
    for model, columns in MODELS.items():
        everything = f"select {columns} from {model} order by all"
        assert query(warehouse, everything) == query(undisturbed, everything), model


def test_a_worker_that_is_killed_and_one_that_joins_change_no_row(
    cluster: Processes, unscored: Path, sample_warehouse: Path
) -> None:
    first, _ = cluster.add_worker(nanny=False), cluster.add_worker(nanny=False)

    def exchange() -> None:
        first.kill()
        cluster.add_worker(nanny=False)

    code, output = built_until_a_chunk_is_there(unscored, cluster.address, exchange)
    assert code == 0, output
    assert_the_same(unscored, sample_warehouse)


def test_place_of_computation_is_in_no_key(sample_warehouse: Path, tmp_path: Path) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    tables = "from ops.fingerprints order by all"
    before = query(warehouse, tables)
    # Nothing is missing, so the cluster is not used.
    choice = variables(workers=1, scheduler="tcp://127.0.0.1:1")
    run("dbt", warehouse, *SELECTION, "scoring_requests", *choice)
    assert query(warehouse, tables) == before
