"""A build on a Dask cluster, in which a worker is killed and another one joins."""

from pathlib import Path

from building import build_with_a_chunk, forgotten, query, variables
from dask_processes import needs_dask, processes

needs_dask()

# The tables that are computed again, with NaN as text, so that it is equal to itself.
TABLES = (
    "select pipeline_key, text_id, lemma, pos, tag, dep, head from caches.text_parses order by all",
    "select * replace (statistics::varchar as statistics) from caches.metric_statistics "
    "order by all",
    # The place of a computation is in no key.
    "from ops.fingerprints order by all",
)


def test_a_worker_that_is_killed_and_one_that_joins_change_no_row(
    sample_warehouse: Path, repository: Path, tmp_path: Path
) -> None:
    warehouse = forgotten(sample_warehouse, tmp_path / "warehouse")
    folder = tmp_path / "dask"
    folder.mkdir()
    with processes(folder, repository) as cluster:
        first, _ = cluster.add_worker(nanny=False), cluster.add_worker(nanny=False)
        place = variables(scheduler=cluster.address)
        with build_with_a_chunk(warehouse, "scoring_requests", *place) as build:
            first.kill()
            cluster.add_worker(nanny=False)
            output, _ = build.communicate()
        assert build.returncode == 0, output
    for table in TABLES:
        assert query(warehouse, table) == query(sample_warehouse, table), table
