"""A build that is killed while it scores loses at most the chunks in hand."""

import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest
from building import attempt, ingested_sample, invocation, query, run, spooled, value

REQUESTS = {
    "text_parses": "extraction.parse_requests",
    "metric_statistics": "scoring.scoring_requests",
}
PATIENCE = 120  # seconds until the first chunk must be there
SELECTION = ("run", "--select", "+metric_statistics")
# As text, in which NaN is equal to itself.
STATISTICS = (
    "select * replace (statistics::varchar as statistics) "
    "from scoring.metric_statistics order by all"
)


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


@pytest.mark.parametrize("model", ["text_parses", "metric_statistics"])
def test_a_killed_build_is_taken_up_where_it_was(
    model: str, sample_warehouse: Path, tmp_path: Path
) -> None:
    warehouse = ingested_sample(sample_warehouse, tmp_path / "warehouse")
    workers = kill_at_the_first_chunk(warehouse, model)
    assert workers
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert alive == []

    refused = attempt("maege", warehouse, "publish")
    assert refused.returncode == 1
    assert "running: build" in refused.stdout

    kept = {path: path.stat().st_mtime_ns for path in spooled(warehouse, model)}
    run("dbt", warehouse, *SELECTION)

    # Nothing that was kept is scored again: chunks stay as they were and share no request.
    chunks = spooled(warehouse, model)
    assert kept.items() <= {path: path.stat().st_mtime_ns for path in chunks}.items()
    assert len(kept) < len(chunks)
    requests = value(warehouse, f"select count(*) from {REQUESTS[model]}")
    in_spool = value(
        warehouse, "select count(*) from read_parquet($1)", [str(path) for path in chunks]
    )
    assert in_spool == requests
    assert query(warehouse, STATISTICS) == query(sample_warehouse, STATISTICS)
