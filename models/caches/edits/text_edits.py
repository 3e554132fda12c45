"""Append-only cache of the edits that turn one text into another: no pair is aligned twice."""

from typing import Any

from maege.analysis.extraction.chunks import EDITS_SCHEMA, extract_chunk, plan_extractions
from maege.analysis.stored.caches import AppendOnlyModel

CHUNK_PAIRS = 2_000


def model(dbt: Any, session: Any) -> Any:
    key = "extractor_key, source_text_id, target_text_id"
    edits = AppendOnlyModel(dbt, session, EDITS_SCHEMA, key)
    requests = dbt.ref("extraction_requests")
    order = "corpus, sentence_id, source_text_id, target_text_id"
    missing = edits.missing(requests, order)
    annotations = dbt.ref("reference_edits")  # noqa: F841 (read by name in the query)
    annotated = session.sql(f"from annotations semi join missing using ({key})").to_arrow_table()
    if annotated.num_rows:
        edits.keep("taking annotations", [annotated], annotated.num_rows)
        missing = edits.missing(requests, order)
    # The relation stays in DuckDB, because it must not be in memory while edits are extracted.
    del annotated
    if missing.num_rows:
        missing_pairs = missing.select(["source_text_id", "target_text_id"])  # noqa: F841 (in the query)
        texts = dbt.ref("texts")  # noqa: F841
        parses = dbt.ref("text_parses")  # noqa: F841
        extractor = dbt.ref("edit_extractor")  # noqa: F841
        parsed_texts = session.sql(
            "with ids as (select source_text_id as text_id from missing_pairs "
            "union select target_text_id from missing_pairs) "
            "select texts.text_id, texts.text, lemma, pos, tag, dep, head from ids "
            "inner join texts using (text_id) "
            "left join (select * from parses semi join extractor using (pipeline_key)) "
            "as parsed on texts.text_id = parsed.text_id order by texts.text_id"
        ).to_arrow_table()
        edits.compute(
            "extracting edits",
            extract_chunk,
            plan_extractions(missing, parsed_texts, CHUNK_PAIRS),
            missing.num_rows,
            rows_per_worker=5_000,
        )
    return edits.new_rows()
