"""The words of system outputs and references in each chunk of a sentence, as CLEME cuts it."""

from collections.abc import Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import pyarrow as pa

from maege.analysis.metrics.cleme import chunk_rows
from maege.analysis.stored.rows import rows_of, rows_to_table, table_schema

KEYS = ("source_text_id", "gold_key", "edits_key")
# `positions` are those of the references; `reference_texts` has their texts in the same order.
SCHEMA = table_schema(
    "source_text_id bigint, gold_key bigint, edits_key bigint, chunk_index integer, "
    "start_token integer, end_token integer, original varchar, hypothesis_text varchar, "
    "positions integer[], reference_texts varchar[], verdict varchar"
)
# As Python objects, a million rows would take more memory than the rest of a build.
ROWS = 20_000


def model(dbt: Any, session: Any) -> Any:
    # Not read. The dependency delays this model until all inputs are scored: in parallel with the
    # model that distributes millions of requests, it would need half a gigabyte more.
    dbt.ref("metric_statistics")
    outputs = dbt.ref("system_inputs")
    texts = dbt.ref("texts")  # noqa: F841 (read by name in the query)
    gold = dbt.ref("gold_lists").select("gold_key, annotations").distinct()  # noqa: F841
    edits = (  # noqa: F841
        dbt.ref("text_edits")
        .select("annotation_key, annotation")
        .union(dbt.ref("ingested_edits").select("annotation_key, annotation"))
        .distinct()
    )
    # Equal outputs of several systems are cut once.
    cuts = outputs.select(", ".join(KEYS)).distinct()  # noqa: F841
    cut_outputs = session.sql(
        f"select {', '.join(KEYS)}, text, annotations, annotation from cuts "
        "inner join texts on cuts.source_text_id = texts.text_id "
        "inner join gold using (gold_key) "
        "inner join edits on cuts.edits_key = edits.annotation_key "
        f"order by {', '.join(KEYS)}"
    )
    rows = _rows(rows_of(cut_outputs))
    parts = iter(lambda: list(islice(rows, ROWS)), [])
    chunks = pa.concat_tables(  # noqa: F841
        [SCHEMA.empty_table(), *(rows_to_table(part, SCHEMA) for part in parts)]
    )
    names = (  # noqa: F841
        dbt.ref("reference_names")
        .filter("kind = 'gold'")
        .aggregate(
            "corpus, reference_set, list(reference order by position) as names",
            "corpus, reference_set",
        )
    )
    # Not as an Arrow table, which would hold all rows in addition to the chunks.
    return session.sql(
        f"select corpus, reference_set, system, sentence_id, chunks.* exclude ({', '.join(KEYS)}, "
        "positions, reference_texts, verdict), to_json(map(list_transform(positions, "
        "lambda position: names[position + 1]), reference_texts))::varchar as reference_texts, "
        f"verdict as outcome from outputs inner join chunks using ({', '.join(KEYS)}) "
        "inner join names using (corpus, reference_set) order by corpus, sentence_id, "
        "reference_set, start_token, end_token, hypothesis_text, system"
    )


def _rows(outputs: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield the keys of each output with its chunks; outputs with the same gold are adjacent."""
    for (_, _, source, gold), same_gold in groupby(outputs, itemgetter(0, 1, 3, 4)):
        sentence_outputs = list(same_gold)
        chunks = chunk_rows(source, gold, [annotation for *_, annotation in sentence_outputs])
        for row, output_chunks in zip(sentence_outputs, chunks, strict=True):
            yield from ((*row[: len(KEYS)], *chunk) for chunk in output_chunks)
