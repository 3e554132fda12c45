"""SQL computes the sentence scores that Python computes from the same stored statistics."""

from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from analysis.metrics.base import FloatArray
from analysis.metrics.imeasure.measure import improvement_of_counts
from analysis.metrics.registry import FAMILIES, METRICS, TEXT_FAMILIES
from analysis.metrics.scores import sentence_scores
from analysis.system_scores import f_of_sums

TEXT_METRICS = [
    name for name, metric in METRICS.items() if set(metric.families) <= set(TEXT_FAMILIES)
]


@pytest.mark.parametrize("metric", TEXT_METRICS)
def test_sql_scores_a_sentence_as_python_does(metric: str, sample_warehouse: Path) -> None:
    families = METRICS[metric].families
    with duckdb.connect(sample_warehouse / "build.duckdb", read_only=True) as connection:
        tables = [
            scored_pairs(connection, metric, families, n_references) for n_references in (3, 4)
        ]
    for table in tables:
        statistics = {name: shaped(table[name], name) for name in families}
        expected = sentence_scores(metric, statistics)
        found = table["score"].to_numpy()
        assert len(found) > 100
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("metric", sorted(set(METRICS) - set(TEXT_METRICS)))
def test_sql_scores_edits_as_python_does(metric: str, sample_warehouse: Path) -> None:
    with duckdb.connect(sample_warehouse / "build.duckdb", read_only=True) as connection:
        rows = connection.execute(
            "select scores.score, cached.statistics from scoring.sentence_scores as scores "
            "inner join extraction.scoring_inputs as inputs using (pair_id) "
            "inner join scoring.metric_statistics as cached on cached.family = scores.metric "
            + (
                "and cached.hypothesis_text_id = inputs.edits_key "
                "and cached.references_key = inputs.typed_gold_key "
                if metric == "errant"
                else "and cached.hypothesis_text_id = inputs.hypothesis_text_id "
                "and cached.source_text_id = inputs.source_text_id "
                "and cached.references_key = inputs.gold_key "
            )
            + "where scores.metric = $1",
            [metric],
        ).fetchall()
    assert len(rows) > 1000
    width = len(FAMILIES[metric].statistics)
    for score, statistics in rows:
        expected = edit_score(metric, np.reshape(statistics, (-1, width)))
        assert score == pytest.approx(expected, abs=1e-12)


def edit_score(metric: str, statistics: FloatArray) -> float:
    """Return the score of a sentence: the best annotator's F.5, the improvement of the counts."""
    if metric.startswith("imeasure"):
        return float(improvement_of_counts(statistics[0]))
    present = statistics[~np.isnan(statistics[:, 0]), :3]
    if metric == "errant":
        present[:, 1:] += present[:, :1]
    return float(f_of_sums(present).max())


def scored_pairs(
    connection: duckdb.DuckDBPyConnection, metric: str, families: tuple[str, ...], n_references: int
) -> pa.Table:
    """Return the metric's scores beside the statistics of its families, one column each."""
    joins = " ".join(
        f"inner join scoring.metric_statistics as {name} on {name}.family = '{name}' "
        f"and {name}.hypothesis_text_id = pairs.hypothesis_text_id "
        f"and {name}.source_text_id = "
        f"{'pairs.source_text_id' if TEXT_FAMILIES[name].reads_source else '0'} "
        f"and {name}.references_key = "
        f"{'pairs.references_key' if TEXT_FAMILIES[name].reads_references else '0'}"
        for name in families
    )
    columns = ", ".join(f"{name}.statistics as {name}" for name in families)
    return connection.execute(
        f"select scores.score, {columns} from scoring.sentence_scores as scores "
        f"inner join scoring.scoring_pairs as pairs using (pair_id) {joins} "
        "inner join (select distinct references_key, n_references from scoring.reference_lists) "
        "as lists on pairs.references_key = lists.references_key "
        "where scores.metric = $1 and lists.n_references = $2",
        [metric, n_references],
    ).to_arrow_table()


def shaped(column: pa.ChunkedArray, family: str) -> FloatArray:
    flat: FloatArray = column.combine_chunks().flatten().to_numpy()
    return flat.reshape(len(column), -1, len(TEXT_FAMILIES[family].statistics))
