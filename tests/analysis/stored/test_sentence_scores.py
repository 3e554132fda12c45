"""Sentence scores as DuckDB computes them, from statistics of each kind of input, by hand.

Tests of a built warehouse compare every metric with Python.
"""

from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from maege.analysis.metrics.registry import FAMILIES, METRICS
from maege.analysis.stored.rows import table_schema
from maege.analysis.stored.sentence_scores import sentence_scores_query

SIGNATURES = {name: key for key, name in enumerate(FAMILIES, start=1)}
# For each family: source_text_id, hypothesis_text_id, references_key and statistics.
CACHED = {
    # Two references: one match of two tokens and no bigram, each counting half.
    ("bleu", 0, 21, 31): [2, 2, 2, 1, 0, 0, 0],
    # Orders 1 to 4 of tp, fp and fn: P = (1/16)^(1/4) and R = 1; nothing but what is missed.
    ("green", 11, 21, 31): [*(1, 1, 1, 1, 15, 0, 0, 0, 0, 0, 0, 0), *(0,) * 8, *(1,) * 4],
    # An annotator without a line, and one with F.5 = 1.25 / (2 + 0.25 * 2).
    ("m2", 11, 21, 41): [np.nan, np.nan, np.nan, np.nan, 1, 2, 2, 0],
    ("errant", 0, 51, 61): [np.nan, np.nan, np.nan, 1, 1, 1],
    # Of three systems: two of the five shares right, three missed; with the other none.
    ("gotoscorer", 11, 51, 71): [2, 0, 3, 0, 5, 1, 0, 1, 7, 3, 0, 1, 4, 0, 5, 0, 1, 2, 6, 3],
    # Accuracies of 7/8 and 3/8, the source's being 3/4; in the second source, hypothesis and
    # reference write two tokens in three ways.
    ("imeasure", 11, 21, 41): [1, 5, 0, 1, 0, 0, 6, 0, 2, 0, *[0] * 10, 1, 0],
    ("imeasure_mix", 11, 21, 41): [0, 3, 2, 4, 2, 0, 6, 0, 2, 0, *[0] * 10, 1, 0],
    # One match of four with an empty reference as well; an empty source.
    ("bleu", 0, 22, 32): [4, 4, 1, 1, 0, 0, 0],
    ("source_bleu", 12, 22, 0): [4, 3, 4, 4, 3, 2, 1],
    ("source_distance", 12, 22, 0): [4, 0, 4],
}
EXPECTED = {
    (1, "bleu"): (0.5, 0.5),
    # 5 P R / (4 P + R); 2 P R / (P + R): two scores of the same values.
    (1, "green"): (2.5 / 3, 2.5 / 3),
    (1, "green_f1"): (1 / 1.5, 1 / 1.5),
    (1, "m2"): (0.5, 0.5),
    (1, "errant"): (0.5, 0.5),
    # 1.25 * 2 / (1.25 * 2 + .25 * 3)
    (1, "gotoscorer"): (2.5 / 3.25, 2.5 / 3.25),
    (1, "imeasure"): (0.5, 0.875),
    (1, "imeasure_mix"): (-0.5, 0.375),
    (1, "difficulty"): (3.5, 3.5),
    (2, "fluent"): (-2.0, -2.0),
    # The published run scored BLEU 0 where a reference is empty.
    (2, "bleu"): (0.25, 0.0),
    (2, "ibleu"): (0.4, 0.2),
    (2, "ibleu_minus"): (0.0, -0.2),
    (2, "ld"): (1.0, 1.0),
}


INPUTS = (
    *("pair_id", "source_text_id", "hypothesis_text_id", "references_key"),
    *("gold_key", "edits_key", "typed_gold_key", "weighed_gold_key"),
)
CACHED_SCHEMA = table_schema(
    "signature_key bigint, source_text_id bigint, hypothesis_text_id bigint, "
    "references_key bigint, statistics double[]"
)
INPUTS_SCHEMA = pa.schema(dict.fromkeys(INPUTS, pa.int64()))
OWN_SCHEMA = pa.schema({"pair_id": pa.int64(), "metric": pa.string(), "score": pa.float64()})
REGISTRY_SCHEMA = pa.schema({"metric": pa.string(), "direction": pa.int32()})


def table(rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)


def computed_scores(
    metrics: Sequence[str],
    signatures: dict[str, int],
    inputs: Sequence[tuple[Any, ...]],
    cached: Sequence[tuple[Any, ...]],
    own_scores: Sequence[tuple[Any, ...]],
) -> dict[tuple[int, str], tuple[float, float]]:
    names = [(name, 1) for name in {*metrics, *(metric for _, metric, _ in own_scores)}]
    with duckdb.connect() as connection:
        connection.register("inputs", table(inputs, INPUTS_SCHEMA))
        connection.register("cached", table(cached, CACHED_SCHEMA))
        connection.register("own", table(own_scores, OWN_SCHEMA))
        connection.register("registry", table(names, REGISTRY_SCHEMA))
        connection.register("empty_references", pa.table({"references_key": [32]}))
        formulas = {name: METRICS[name].score for name in metrics}
        rows = connection.execute(sentence_scores_query(formulas, signatures)).fetchall()
    scores = {(pair, metric): (score, published) for pair, metric, _, score, published in rows}
    assert len(scores) == len(rows)
    return scores


def test_scores_follow_from_statistics() -> None:
    cached = [(SIGNATURES[family], *keys, row) for (family, *keys), row in CACHED.items()]
    # Rows of an earlier version of the metric.
    cached.append((99, 0, 21, 31, [2, 2, 2, 2, 1, 0, 0]))
    scores_by_pair = computed_scores(
        sorted({metric for _, metric in EXPECTED} & METRICS.keys()),
        SIGNATURES,
        [(1, 11, 21, 31, 41, 51, 61, 71), (2, 12, 22, 32, 42, None, None, None)],
        cached,
        [(1, "difficulty", 3.5), (2, "difficulty", None), (2, "fluent", -2.0)],
    )
    assert scores_by_pair == {key: pytest.approx(value) for key, value in EXPECTED.items()}
