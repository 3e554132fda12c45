"""The published run: the eleven corpora of each draw, from the published run's generators."""

from collections.abc import Iterator
from itertools import groupby, product
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.papers.maege_run import AnnotatedSentence, published_corpora
from maege.analysis.stored.rows import table_schema

SCHEMA = table_schema(
    "corpus varchar, draw integer, expected_edits double, sentence_id integer, "
    "annotation_id bigint, mask bigint, is_source boolean"
)


def model(dbt: Any, session: Any) -> pa.RecordBatchReader:  # noqa: ARG001 (dbt's signature)
    rows = (
        dbt.ref("lattice_annotations")
        .filter("is_published_run and is_sampled")
        .select("corpus, sentence_id, annotator, annotation_id, n_edits")
        .order("corpus, sentence_id, try_cast(annotator as integer), annotator")
        .fetchall()
    )
    draws, seed = dbt.settings.corpus_draws, dbt.settings.seed
    # The rows of all draws are never in memory at once.
    batches = (
        batch
        for corpus, corpus_rows in groupby(rows, key=itemgetter(0))
        for batch in _batches(corpus, list(corpus_rows), draws, seed)
    )
    return pa.RecordBatchReader.from_batches(SCHEMA, batches)


def _batches(
    corpus: str, rows: list[tuple[str, int, str, int, int]], draws: int, seed: int
) -> Iterator[pa.RecordBatch]:
    sentences = [
        AnnotatedSentence(sentence_id, {row[2]: row[4] for row in sentence_rows})
        for sentence_id, sentence_rows in groupby(rows, key=itemgetter(1))
    ]
    ids = {(sentence_id, annotator): number for _, sentence_id, annotator, number, _ in rows}
    for draw, corpora in enumerate(published_corpora(sentences, draws, seed)):
        if not draw:
            keys = product(corpora.sentence_ids.tolist(), corpora.annotators)
            annotation_ids = np.array([ids.get(key, 0) for key in keys])
            annotation_ids = annotation_ids.reshape(-1, len(corpora.annotators))
        model_number, sentence = np.indices(corpora.mask.shape)
        size = corpora.mask.size
        columns = [
            pa.repeat(corpus, size),
            pa.repeat(draw, size),
            model_number.ravel(),
            corpora.sentence_ids[sentence].ravel(),
            annotation_ids[sentence, corpora.annotator].ravel(),
            corpora.mask.ravel(),
            (model_number == corpora.source_model[sentence]).ravel(),
        ]
        yield pa.RecordBatch.from_arrays(columns, schema=SCHEMA)
