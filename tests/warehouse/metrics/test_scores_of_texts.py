"""Scores of texts in memory equal those of a build."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from maege.analysis.direct.scores import (
    corpus_scores,
    metric_of_texts,
    offered,
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
    with duckdb.connect(sample_warehouse / "build.duckdb", read_only=True) as opened:
        opened.execute(f"create temporary table pairs as {PAIRS}")
        yield opened


def test_sentence_scores_equal_the_builds_to_the_last_digit(
    build: duckdb.DuckDBPyConnection,
) -> None:
    rows = build.execute("select * exclude (pair_id) from pairs order by hash(pair_id)").fetchall()
    sources, hypotheses, references = map(list, zip(*rows, strict=True))
    built = dict(build.execute(SCORES).fetchall())
    compared = built.keys() & set(offered(outputs=False))
    assert len(compared) >= 17
    assert {"bleu", "gleu", "sari", "m2", "cleme", "imeasure", "green", "fluency"} <= compared
    for name in compared:
        metric = metric_of_texts(name, outputs=False)
        scores = sentence_scores(metric, {"": hypotheses}, sources, references)[0]
        np.testing.assert_array_equal(scores, np.array(built[name], float), err_msg=name)


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
