"""Scores of texts in memory, computed by hand."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import duckdb
import numpy as np
import pytest

from maege.analysis.direct.scores import (
    TextsError,
    corpus_scores,
    metric_of_texts,
    offered,
    register_metrics,
    sentence_scores,
)

SOURCE = "He go home ."
RIGHT = "He goes home ."
OTHER = "He went home ."


def test_gotoscorer_weighs_by_how_many_systems_fail() -> None:
    # Each of two systems corrects one of two errors, so that both errors have the same weight:
    # precision is 1 and recall 1/2, F0.5 is 1.25 P R / (.25 P + R). If another system corrects
    # both, an error that only one of three misses has less weight, but still as much as the other
    # error.
    source, right = "He go home by a bus .", "He goes home by bus ."
    outputs = {"verb": ["He goes home by a bus ."], "article": ["He go home by bus ."]}
    metric = metric_of_texts("gotoscorer", outputs=True)
    for more in ({}, {"both": [right]}):
        scores = sentence_scores(metric, outputs | more, [source], [[right]])
        assert scores[:2].ravel().tolist() == [pytest.approx(0.625 / 0.75)] * 2
    # If two of three systems miss the verb, it has twice the weight: recall is 2/3.
    scores = sentence_scores(
        metric, outputs | {"third": ["He go home by bus ."]}, [source], [[right]]
    )
    assert scores[0].tolist() == [pytest.approx(1.25 * (2 / 3) / (0.25 + 2 / 3))]


def test_a_reference_that_is_not_there_is_none_for_any_metric() -> None:
    outputs = {"copy": [SOURCE] * 2, "right": [RIGHT] * 2}
    with_missing = ([SOURCE] * 2, [[RIGHT, None], [None, RIGHT]])
    for name in ("bleu", "gleu", "green", "sari", "max_sari", "min_ld", "m2"):
        metric = metric_of_texts(name, outputs=False)
        texts_with_missing, texts_without = (
            (outputs, *with_missing),
            (outputs, [SOURCE] * 2, [[RIGHT]] * 2),
        )
        for scores in (sentence_scores, partial(corpus_scores, gleu_rng="py2")):
            assert (
                scores(metric, *texts_with_missing).tolist()
                == scores(metric, *texts_without).tolist()
            )


def test_gleu_draws_among_the_references_that_a_sentence_has() -> None:
    metric = metric_of_texts("gleu", outputs=False)
    # For the second sentence, half of the draws use the other reference.
    for rng in ("py2", "py3"):
        mean_score = corpus_scores(
            metric, {"": [RIGHT, RIGHT]}, [SOURCE] * 2, [[RIGHT], [RIGHT, OTHER]], rng
        )
        assert (
            corpus_scores(metric, {"": [RIGHT]}, [SOURCE], [[RIGHT, OTHER]], rng) < mean_score < 1
        )


@pytest.mark.parametrize(
    ("metric", "sources", "hypotheses", "references", "message"),
    [
        ("gleu", None, [RIGHT], [[RIGHT]], "found no source"),
        ("gleu", [SOURCE], [RIGHT], None, "found no references"),
        ("gleu", [SOURCE], [RIGHT, RIGHT], [[RIGHT]], "found 1"),
        ("gleu", [SOURCE], [RIGHT], [RIGHT], "found the text 'He goes home .' in row 1"),
        ("bleu", None, [RIGHT, RIGHT], [[RIGHT], []], "row 2 has none"),
        ("ld", [], [], None, "found no text"),
    ],
)
def test_missing_parts_are_named(
    metric: str, sources: Any, hypotheses: Any, references: Any, message: str
) -> None:
    metric_object = metric_of_texts(metric, outputs=False)
    with pytest.raises(TextsError, match=message):
        sentence_scores(metric_object, {"": hypotheses}, sources, references)


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("glue", "no metric is called 'glue'; there are bleu, "),
        ("referenceless", "reads grammaticality, which only a build"),
        ("gotoscorer", "give the outputs by system"),
    ],
)
def test_metrics_that_need_more_than_texts_are_rejected(metric: str, message: str) -> None:
    with pytest.raises(TextsError, match=message):
        metric_of_texts(metric, outputs=False)


def test_texts_of_another_language_have_its_metrics() -> None:
    assert "fluency" not in offered(outputs=False, language="uk")
    assert offered(outputs=False, language="en-GB") == offered(outputs=False)
    with pytest.raises(TextsError, match="fluency: reads en, found uk"):
        metric_of_texts("fluency", outputs=False, language="uk")
    # Edits come from the plain alignment: only the verb changes.
    source, right = "Він йти додому .", "Він іде додому ."
    outputs = {"right": [right], "idle": [source]}
    for name in {"errant", "m2"} & set(offered(outputs=False, language="uk")):
        metric = metric_of_texts(name, outputs=False, language="uk")
        scores = sentence_scores(metric, outputs, [source], [[right]], "uk")
        assert scores.tolist() == [[1], [0]], name


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the metrics as functions, registered twice, as by two users."""
    with duckdb.connect() as opened:
        register_metrics(opened)
        register_metrics(opened)
        yield opened


def test_every_metric_of_texts_is_a_function(connection: duckdb.DuckDBPyConnection) -> None:
    read = {"source": "?", "hypothesis": "?", "references": "[?]"}
    for name in offered(outputs=False):
        arguments = ", ".join(read[part] for part in metric_of_texts(name, outputs=False).inputs)
        n_texts = arguments.count("?")
        [(score,)] = connection.execute(f"select {name}({arguments})", [RIGHT] * n_texts).fetchall()
        assert score is not None, name
        assert not math.isnan(score), name


@pytest.mark.parametrize(
    ("call", "score"),
    [
        ("min_ld('ab', ['ab', null])", 1.0),
        ("min_ld('ab', [])", None),
        ("min_ld('ab', null)", None),
        ("min_ld(null, ['ab'])", None),
        ("ld('ab', 'ab')", 1.0),
        ("ld(null, 'ab')", None),
    ],
)
def test_null_is_no_score(
    connection: duckdb.DuckDBPyConnection, call: str, score: float | None
) -> None:
    assert connection.execute(f"select {call}").fetchall() == [(score,)]


def test_a_column_is_scored_row_by_row(connection: duckdb.DuckDBPyConnection) -> None:
    # More rows than one vector of DuckDB, every third of them without a hypothesis.
    rows = connection.execute(
        "select min_ld(if(i % 3 = 0, null, repeat('a', i % 5 + 1)), ['aaaaa']) as score "
        "from range(5000) as numbers(i) order by i"
    ).fetchnumpy()
    expected = np.array([np.nan if i % 3 == 0 else (i % 5 + 1) / 5 for i in range(5000)])
    np.testing.assert_allclose(np.ma.filled(rows["score"], np.nan), expected)
