"""Scores of texts in memory equal those of a build, by SQL and by Python."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from maege.analysis.direct.scores import (
    corpus_scores,
    metric_of_texts,
    offered,
    register_metrics,
    sentence_scores,
)

# Pairs whose gold was extracted from the reference texts, as for texts in memory.
PAIRS = """
    select inputs.pair_id, source.text as source, hypothesis.text as hypothesis,
        list_transform(lists.text_ids, lambda id: texts_of.texts[id]) as "references"
    from caches.scoring_inputs as inputs
    inner join caches.gold_lists as gold
        on inputs.source_text_id = gold.source_text_id
        and inputs.references_key = gold.references_key
        and inputs.gold_key = gold.gold_key
    inner join pairs.texts as source on inputs.source_text_id = source.text_id
    inner join pairs.texts as hypothesis on inputs.hypothesis_text_id = hypothesis.text_id
    inner join (select distinct references_key, text_ids from pairs.reference_lists) as lists
        on inputs.references_key = lists.references_key
    cross join (select map(list(text_id), list(text)) as texts from pairs.texts) as texts_of
    order by hash(inputs.pair_id)
    limit 60
"""
SCORES = """
    select metric, list(score order by hash(pair_id)) from scores.sentence_scores
    where pair_id in (select pair_id from pairs)
    group by metric
"""


@pytest.fixture(scope="module")
def build(sample_warehouse: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The built sample with the pairs as a table, and the metrics as functions."""
    with duckdb.connect(sample_warehouse / "build.duckdb", read_only=True) as opened:
        opened.execute(f"create temporary table pairs as {PAIRS}")
        register_metrics(opened)
        yield opened


@pytest.fixture(scope="module")
def built(build: duckdb.DuckDBPyConnection) -> dict[str, list[float | None]]:
    """The build's scores of the pairs, by metric."""
    return dict(build.execute(SCORES).fetchall())


def test_all_that_texts_give_is_compared(built: dict[str, list[float | None]]) -> None:
    compared = built.keys() & set(offered(outputs=False))
    assert len(compared) >= 17
    assert {"bleu", "gleu", "sari", "m2", "cleme", "imeasure", "green", "fluency"} <= compared
    assert all(len(scores) == 60 for scores in built.values())


def test_sentence_scores_equal_the_builds_to_the_last_digit(
    build: duckdb.DuckDBPyConnection, built: dict[str, list[float | None]]
) -> None:
    rows = build.execute("select * exclude (pair_id) from pairs order by hash(pair_id)").fetchall()
    sources, hypotheses, references = map(list, zip(*rows, strict=True))
    for name in sorted(built.keys() & set(offered(outputs=False))):
        metric = metric_of_texts(name, outputs=False)
        scores = sentence_scores(metric, {"": hypotheses}, sources, references)[0]
        np.testing.assert_array_equal(scores, np.array(built[name], float), err_msg=name)


@pytest.mark.parametrize("metric", ["bleu", "gleu", "sari", "imeasure", "fluency"])
def test_functions_of_sql_equal_the_build_to_the_last_digit(
    build: duckdb.DuckDBPyConnection, built: dict[str, list[float | None]], metric: str
) -> None:
    read = ", ".join(f'"{name}"' for name in metric_of_texts(metric, outputs=False).inputs)
    rows = build.execute(
        f"select {metric}({read}), source, hypothesis from pairs order by hash(pair_id)"
    ).fetchall()
    # A node keeps the space next to a deletion at an end; functions normalise white space.
    places = [
        place
        for place, (_, *texts) in enumerate(rows)
        if all(text == " ".join(text.split()) for text in texts)
    ]
    assert len(places) > 30
    assert [rows[place][0] for place in places] == [built[metric][place] for place in places]


def test_corpus_scores_equal_the_builds(build: duckdb.DuckDBPyConnection) -> None:
    rows = build.execute(
        "select system, list(text order by sentence_id) from corpora.usable_outputs "
        "group by system order by system"
    ).fetchall()
    outputs = dict(rows)
    [(sources,)] = build.execute(
        "select list(text order by sentence_id) from staging.stg_corpus__sentences"
    ).fetchall()
    references = [
        texts
        for (texts,) in build.execute(
            "select list(text order by path) from corpora.usable_references "
            "where path like '%/ref_.txt' group by sentence_id order by sentence_id"
        ).fetchall()
    ]
    # Without errant, whose gold are the annotators' edits if a set has them in addition to texts.
    for name in ("bleu", "gleu", "sari", "green", "ibleu", "fluency"):
        metric = metric_of_texts(name, outputs=True)
        scores = corpus_scores(metric, outputs, sources, references, "py2")
        [(built,)] = build.execute(
            "select list(corpus_score order by system) from marts.system_scores "
            "where metric = $1 and reference_set = (select max(reference_set) from "
            "marts.system_scores where metric = $1 and reference_set in ('texts', 'none'))",
            [name],
        ).fetchall()
        assert scores.tolist() == built, name
