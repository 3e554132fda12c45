"""Append-only cache of edits extracted from references, and of ERRANT's types for annotations.

It runs before the lattices, which consist of these edits. The edits that metrics read follow in
text_edits, which reuses those stored here.
"""

from typing import Any

from maege.analysis.extraction.chunks import EDITS_SCHEMA, parse_and_extract_chunk, plan_extractions
from maege.analysis.stored.caches import AppendOnlyModel

CHUNK_PAIRS = 500


def model(dbt: Any, session: Any) -> Any:
    key = "extractor_key, source_text_id, target_text_id"
    edits = AppendOnlyModel(dbt, session, EDITS_SCHEMA, key)
    columns = "extractor_key, pipeline_key, source_text_id, target_text_id"
    read = f"{columns}, corpus, sentence_id, source_text, target_text"
    reference_pairs = dbt.ref("edit_requests").filter("kind <> 'crowd'").select(read)
    missing = edits.missing(
        reference_pairs.aggregate(
            f"{columns}, min(corpus) as corpus, min(sentence_id) as sentence_id"
        ),
        "corpus, sentence_id, source_text_id, target_text_id",
    )
    if missing.num_rows:
        texts = session.sql(
            "select source_text_id as text_id, source_text as text from reference_pairs "
            "union select target_text_id, target_text from reference_pairs order by text_id"
        ).to_arrow_table()
        edits.compute(
            "extracting annotations",
            parse_and_extract_chunk,
            plan_extractions(missing, texts, CHUNK_PAIRS),
            missing.num_rows,
            rows_per_worker=1_000,
        )
    return edits.new_rows()
