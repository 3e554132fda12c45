"""Properties of all corpora hold for twenty-four random ones; `make fuzz` tests a thousand.

`make fuzz SEED=17 CORPORA=1` tests the corpus `fuzz_17` alone. If a batch is not built, the corpus
that is to blame is found with half of the batch.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import duckdb
import pytest
from building import BUILD, BUILD_WITHOUT_TESTS, run, variables
from properties import PROPERTIES, Built
from random_corpora import RandomCorpus, random_corpus
from small_corpus import maege

# In the last one a reference deletes everything.
SEEDS = [*range(1, 24), 122]
BATCH = 50
# How many corpora of a batch are removed.
REMOVED = 3
# Times of ingestion and hashes differ without meaning.
NOT_COMPARED = ("ingested_at", "fingerprint")
# The most expensive variables: resamples and draws, whose numbers no property reads.
FEWER = variables(
    bootstrap_samples=40,
    test_resamples=40,
    chains_per_annotation=1,
    corpus_draws=2,
    corpus_models=[0, 2],
    crowd_redraws=2,
    edit_metric_draws=1,
    corrupted_edits=0.1,
    trueskill_runs=2,
    replication=True,
    workers=1,
)


def batches() -> list[list[int]]:
    """Return the seeds of the corpora of each warehouse."""
    if "FUZZ_CORPORA" not in os.environ:
        return [SEEDS]
    first = int(os.environ["FUZZ_SEED"])
    seeds = range(first, first + int(os.environ["FUZZ_CORPORA"]))
    return [[*seeds[start : start + BATCH]] for start in range(0, len(seeds), BATCH)]


@pytest.fixture(scope="module", params=batches(), ids=lambda seeds: f"{seeds[0]} to {seeds[-1]}")
def corpora(request: pytest.FixtureRequest) -> list[RandomCorpus]:
    return [random_corpus(seed) for seed in request.param]


@pytest.fixture(scope="module")
def warehouse(
    corpora: list[RandomCorpus], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("random")
    for corpus in corpora:
        files = corpus.write(folder / "corpora" / corpus.name)
        result = maege(folder / "warehouse", "ingest", files, *corpus.options)
        assert result.exit_code == 0, (corpus.name, result.output, result.exception)
    run("dbt", folder / "warehouse", *BUILD, *FEWER)
    yield folder / "warehouse"
    shutil.rmtree(folder)


@pytest.fixture
def built(warehouse: Path, corpora: list[RandomCorpus]) -> Iterator[Built]:
    properties = Built(warehouse, corpora)
    yield properties
    properties.connection.close()


@pytest.mark.parametrize("faults", PROPERTIES, ids=lambda faults: faults.__name__)
def test_any_corpus_is_right(faults: Callable[[Built], Iterable[str]], built: Built) -> None:
    violations = [*faults(built)]
    assert not violations, "\n".join(violations)


def test_marts_fit_together_once_some_are_removed(
    warehouse: Path, corpora: list[RandomCorpus]
) -> None:
    assert maege(warehouse, "publish").exit_code == 0
    removed = {corpus.name for corpus in corpora[:: len(corpora) // REMOVED or 1]}
    before = rows_by_corpus(warehouse)
    for name in removed:
        assert maege(warehouse, "remove", name).exit_code == 0
    # The marts still have the removed corpora.
    assert maege(warehouse, "publish").exit_code != 0
    run("dbt", warehouse, *BUILD_WITHOUT_TESTS, *FEWER)
    assert maege(warehouse, "publish").exit_code == 0
    kept = {key: rows for key, rows in before.items() if key[1] not in removed}
    assert rows_by_corpus(warehouse) == kept


def rows_by_corpus(warehouse: Path) -> dict[tuple[str, str], tuple[int, int]]:
    """Return for each published mart and corpus the number of its rows and a sum over them."""
    sums = {}
    with duckdb.connect(warehouse / "marts.duckdb", read_only=True) as marts:
        tables = marts.execute(
            "select table_name, list(column_name) from duckdb_columns() "
            "where schema_name = 'main' group by all "
            "having list_contains(list(column_name), 'corpus') order by all"
        ).fetchall()
        for mart, columns in tables:
            # Weights that depended on another corpus disappear with that corpus.
            condition = "and chosen_corpus is null" if "chosen_corpus" in columns else ""
            for corpus, *numbers in marts.execute(
                f"select corpus, count(*), sum(hash(columns(c -> c not in {NOT_COMPARED}))) "
                f"from {mart} where corpus is not null {condition} group by corpus"
            ).fetchall():
                sums[mart, corpus] = tuple(numbers)
    return sums
