"""Append-only cache of spaCy's parses: no text is parsed twice.

Empty without a pipeline. Edits then come from a plain alignment, which needs no parse.
"""

from typing import Any

from maege.analysis.extraction.chunks import PARSES_SCHEMA, parse_chunk, plan_parses
from maege.analysis.stored.caches import AppendOnlyModel

CHUNK_TEXTS = 1_000


def model(dbt: Any, session: Any) -> Any:
    parses = AppendOnlyModel(dbt, session, PARSES_SCHEMA, "pipeline_key, text_id")
    missing = parses.missing(dbt.ref("parse_requests"), "corpus, sentence_id, text_id")
    if missing.num_rows:
        parses.compute(
            "parsing texts",
            parse_chunk,
            plan_parses(missing, CHUNK_TEXTS),
            missing.num_rows,
            rows_per_worker=2_000,
        )
    return parses.new_rows()
