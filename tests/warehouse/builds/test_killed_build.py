"""A build that is killed while it scores loses at most the chunks in progress."""

import signal
from pathlib import Path

from building import (
    OF_FAST_FAMILIES,
    attempt,
    build_with_a_chunk,
    forgotten,
    query,
    run,
    spooled,
    value,
)

MODEL = "metric_statistics"
REQUESTS = f"select count(*) from caches.scoring_requests where {OF_FAST_FAMILIES}"
# As text, in which NaN is equal to itself.
STATISTICS = (
    "select * replace (statistics::varchar as statistics) "
    "from caches.metric_statistics order by all"
)


def chunks(warehouse: Path) -> dict[Path, int]:
    """Return the spool's files, with the times when they were written."""
    return {path: path.stat().st_mtime_ns for path in spooled(warehouse, MODEL)}


def test_the_build_after_a_killed_one_resumes(sample_warehouse: Path, tmp_path: Path) -> None:
    warehouse = forgotten(sample_warehouse, tmp_path / "warehouse")
    with build_with_a_chunk(warehouse) as build:
        build.kill()
    assert build.returncode == -signal.SIGKILL
    chunks_left = chunks(warehouse)
    publishing = attempt("maege", warehouse, "publish")
    assert publishing.returncode == 1
    assert "The last build was interrupted" in publishing.stdout

    run("dbt", warehouse, "run", "--select", "text_parses", MODEL)
    # Stored chunks are not computed again: they stay unchanged and share no request.
    taken_up = chunks(warehouse)
    assert chunks_left.items() <= taken_up.items()
    assert len(chunks_left) < len(taken_up)
    n_rows = value(
        warehouse, "select count(*) from read_parquet($1)", [str(path) for path in taken_up]
    )
    assert n_rows == value(warehouse, REQUESTS)
    assert query(warehouse, STATISTICS) == query(sample_warehouse, STATISTICS)
