"""The sample with judgments of four sentences, one of which a metric has not scored."""

from pathlib import Path

import duckdb
import numpy as np
import pytest
from building import copy_of, query, run, variables

from maege.analysis.statistics.resampling import cluster_weights

JUDGED = [1, 2, 3, 5]
# The only sentence with a judgment of `broken`, and the sentence without a score of naturalness.
RARELY, SENTENCE, UNSCORED = "broken", 5, 1
SAMPLES, SEED, SENTENCES = 1000, 1, 84


@pytest.fixture(scope="module")
def few_judgments(sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a copy with these judgments, built."""
    warehouse = copy_of(sample_warehouse, tmp_path_factory.mktemp("few") / "warehouse")
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute(
            f"delete from raw.judgments where sentence_id not in {tuple(JUDGED)} "
            f"or (system = '{RARELY}' and sentence_id <> {SENTENCE}); "
            "delete from raw.sentence_scores "
            f"where metric = 'naturalness' and sentence_id = {UNSCORED}"
        )
    run("dbt", warehouse, "run", "-s", "source:raw.judgments+", "source:raw.sentence_scores+")
    return warehouse


def samples_with(*sentences: int) -> int:
    """Return the number of bootstrap resamples that contain any of the sentences."""
    weights = cluster_weights(SENTENCES, SAMPLES, SEED)
    return int(np.count_nonzero(weights[:, sentences].any(axis=1)))


@pytest.mark.parametrize("method", ["expected_wins", "trueskill"])
def test_four_sentences_are_an_estimate_and_no_interval(method: str, few_judgments: Path) -> None:
    rows = query(
        few_judgments,
        "select system, n_resamples, n_sentences, too_few, score, "
        "coalesce(ci_low, ci_high, rank, rank_low, rank_high, cluster) from marts.human_scores "
        "where method = $1 and system_set = 'all'",
        method,
    )
    assert samples_with(SENTENCE) < samples_with(*JUDGED) < SAMPLES
    for system, n_resamples, n_sentences, too_few, score, inferred in rows:
        # Resamples without a judgment of a system are excluded and counted.
        assert n_resamples == samples_with(*([SENTENCE] if system == RARELY else JUDGED))
        assert (n_sentences, too_few, inferred) == (4, "sentences", None)
        assert np.isfinite(score)


@pytest.mark.parametrize(
    ("mart", "inferred"),
    [
        (
            "human_correlations",
            "pearson_ci_low, pearson_p_value, pearson_q_value, spearman_ci_low, spearman_p_value, "
            "spearman_q_value, chance_median, chance_low, chance_p_value",
        ),
        ("metric_comparisons", "ci_low, ci_high, p_value, q_value"),
        ("sentence_agreement", "ci_low, ci_high, chance_low, chance_p_value, chance_q_value"),
    ],
)
def test_nothing_is_inferred_from_four_sentences(
    mart: str, inferred: str, few_judgments: Path
) -> None:
    conditions = {
        "human_correlations": "sentence_set = 'judged'",
        "metric_comparisons": "level = 'system'",
    }
    judged = conditions.get(mart, "true")
    rows = query(
        few_judgments,
        f"select distinct too_few is null, coalesce({inferred}) from marts.{mart} where {judged}",
    )
    assert rows == [(False, None)]


@pytest.mark.replicate
def test_no_weights_are_inferred_from_four_sentences(few_judgments: Path, tmp_path: Path) -> None:
    warehouse = copy_of(few_judgments, tmp_path / "warehouse")
    run("dbt", warehouse, "run", "-s", "weight_surface", *variables(replication=True))
    inferred = "pearson_ci_low, pearson_ci_high, spearman_ci_low, spearman_ci_high"
    rows = query(
        warehouse,
        f"select distinct too_few is null, coalesce({inferred}) from marts.weight_surface",
    )
    assert rows == [(False, None)]


def test_a_metric_that_lacks_a_judged_sentence_is_compared_over_the_others(
    few_judgments: Path,
) -> None:
    pairs = query(
        few_judgments,
        "select 'naturalness' in (metric_a, metric_b) as lacks_one, count(*), min(n_sentences), "
        "max(n_sentences) from marts.metric_comparisons where method = 'expected_wins' "
        "and test = 'williams' and reference_set = 'edits' group by all order by all",
    )
    (_, n_other_pairs, *complete), (_, with_naturalness, *incomplete) = pairs
    n_metrics = with_naturalness + 1
    assert n_other_pairs == (n_metrics - 1) * (n_metrics - 2) / 2
    assert complete == [4, 4]
    assert incomplete == [3, 3]


def test_nothing_is_not_a_number(few_judgments: Path) -> None:
    numbers = query(
        few_judgments,
        "select table_name, column_name from duckdb_columns() "
        "where schema_name = 'marts' and data_type = 'DOUBLE' order by all",
    )
    assert len(numbers) > 100
    with duckdb.connect(few_judgments / "build.duckdb", read_only=True) as build:
        for table, column in numbers:
            not_finite = f"select count(*) from marts.{table} where not isfinite({column})"
            assert build.execute(not_finite).fetchone() == (0,), f"{table}.{column}"
