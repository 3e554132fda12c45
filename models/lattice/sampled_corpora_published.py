"""Mode `as_published`: the eleven corpora of each draw, from the published run's generators."""

from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa

from analysis.papers.maege_generators import AnnotatedSentence, published_corpora

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "draw": pa.int32(),
        "expected_edits": pa.float64(),
        "sentence_id": pa.int32(),
        "annotation_id": pa.int64(),
        "mask": pa.int64(),
        "is_source": pa.bool_(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per draw, corpus model and sentence; is_source marks the random source."""
    draws = int(dbt.config.meta_get("corpus_draws"))
    seed = int(dbt.config.meta_get("seed"))
    rows = (
        dbt.ref("lattice_annotations")
        .filter("mode = 'as_published' and is_sampled")
        .select("corpus, sentence_id, annotator, annotation_id, n_edits")
        .order("corpus, sentence_id, try_cast(annotator as integer), annotator")
        .fetchall()
    )
    tables = [
        _corpus_table(corpus, list(of_corpus), draws, seed)
        for corpus, of_corpus in groupby(rows, key=itemgetter(0))
    ]
    return pa.concat_tables([SCHEMA.empty_table(), *tables])


def _corpus_table(
    corpus: str, rows: list[tuple[str, int, str, int, int]], draws: int, seed: int
) -> pa.Table:
    sentences = [
        AnnotatedSentence(sentence_id, {row[2]: row[4] for row in of_sentence})
        for sentence_id, of_sentence in groupby(rows, key=itemgetter(1))
    ]
    corpora = published_corpora(sentences, draws, seed)
    n_models = corpora.mask.shape[1]
    place = {sentence_id: index for index, sentence_id in enumerate(corpora.sentence_ids.tolist())}
    label = {annotator: index for index, annotator in enumerate(corpora.annotators)}
    annotation_ids = np.zeros((len(place), len(label)), dtype=np.int64)
    for _, sentence_id, annotator, annotation_id, _ in rows:
        annotation_ids[place[sentence_id], label[annotator]] = annotation_id

    draw, model_number, sentence = np.indices(corpora.mask.shape)
    is_source = np.arange(n_models)[None, :, None] == corpora.source_model[:, None, :]
    columns = [
        np.full(corpora.mask.size, corpus),
        draw,
        model_number,
        corpora.sentence_ids[sentence],
        annotation_ids[sentence, corpora.annotator],
        corpora.mask,
        is_source,
    ]
    return pa.Table.from_arrays(
        [
            pa.array(column.ravel()).cast(field.type)
            for column, field in zip(columns, SCHEMA, strict=True)
        ],
        schema=SCHEMA,
    )
