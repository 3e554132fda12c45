"""What system outputs do to the chunks of their sentences, as CLEME cuts them.

Only systems whose output, references or metrics changed are cut again, or all when the code did.
"""

from collections.abc import Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import pyarrow as pa

from analysis.metrics.cleme.rows import ChunkRow, chunk_rows
from analysis.stored.code import changed_systems
from analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "reference_set": pa.string(),
        "system": pa.string(),
        "sentence_id": pa.int32(),
        "fingerprint": pa.string(),
        "chunk_index": pa.int32(),
        "start_token": pa.int32(),
        "end_token": pa.int32(),
        "original": pa.string(),
        "hypothesis_text": pa.string(),
        # Of references, their positions, and their texts in the same order.
        "positions": pa.list_(pa.int32()),
        "reference_texts": pa.list_(pa.string()),
        "verdict": pa.string(),
    }
)
# As objects of Python a million rows would take more memory than all else in a build.
ROWS = 20_000


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per reference set, system, sentence and chunk that somebody changed."""
    changed = changed_systems(dbt, session, dbt.ref("system_fingerprints"))  # noqa: F841
    inputs = dbt.ref("system_inputs")  # noqa: F841 (read by name in the query)
    texts = dbt.ref("texts")  # noqa: F841
    gold = dbt.ref("gold_lists").select("gold_key, annotations").distinct()  # noqa: F841
    edits = (  # noqa: F841
        dbt.ref("text_edits")
        .select("annotation_key, annotation")
        .union(dbt.ref("ingested_edits").select("annotation_key, annotation"))
        .distinct()
    )
    found = session.sql(
        "select text, annotations, annotation, corpus, reference_set, system, sentence_id, "
        "fingerprint from inputs inner join changed using (corpus, reference_set, system) "
        "inner join texts on inputs.source_text_id = texts.text_id "
        "inner join gold using (gold_key) "
        "inner join edits on inputs.edits_key = edits.annotation_key "
        "order by source_text_id, gold_key, corpus, reference_set, system, sentence_id"
    )
    rows = ((*keys, *row) for keys, row in _rows(_fetched(found)))
    parts = iter(lambda: list(islice(rows, ROWS)), [])
    return pa.concat_tables(
        [SCHEMA.empty_table(), *(rows_to_table(part, SCHEMA) for part in parts)]
    )


def _fetched(found: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a relation, of which only some are objects of Python at a time."""
    while rows := found.fetchmany(ROWS):
        yield from rows


def _rows(found: Iterator[tuple[Any, ...]]) -> Iterator[tuple[tuple[Any, ...], ChunkRow]]:
    """Yield the keys of each output, with its chunks; outputs with the same gold stand together."""
    for (source, gold), outputs in groupby(found, itemgetter(0, 1)):
        of_sentence = list(outputs)
        chunks = chunk_rows(source, gold, [annotation for _, _, annotation, *_ in of_sentence])
        for (_, _, _, *keys), of_output in zip(of_sentence, chunks, strict=True):
            yield from ((tuple(keys), row) for row in of_output)
