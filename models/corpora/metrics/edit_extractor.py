"""The program that extracts the edits between two texts here, for each language.

ERRANT if it has rules for the language and its pipeline is installed, else an alignment.
"""

from typing import Any

import pyarrow as pa

from maege.analysis.code import code_behind_module
from maege.analysis.extraction.pipeline import ENGLISH, rules_of
from maege.analysis.extraction.plain_alignment import current_extractor
from maege.analysis.stored.rows import rows_to_table
from maege.analysis.texts import content_key

SCHEMA = pa.schema(
    {
        "language": pa.string(),
        "extractor": pa.string(),
        "extractor_key": pa.int64(),
        "pipeline": pa.string(),
        "pipeline_key": pa.int64(),
        # The extractor's name in the signatures of metrics.
        "english_extractor": pa.string(),
        # Whether ERRANT has types for the language, even if its pipeline is not installed.
        "has_types": pa.bool_(),
    }
)

# The modules that workers call.
EXTRACTION, PARSING = "maege.analysis.extraction.chunks", "maege.analysis.extraction.parses"


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per language of a corpus; only English without corpora."""
    languages = dbt.source("raw", "corpora").select("language").distinct().order("all").fetchall()
    rows = []
    for (language,) in languages or [(ENGLISH,)]:
        extractor = current_extractor(language)
        pipeline = extractor.pipeline
        rows.append(
            {
                "language": language,
                "extractor": extractor.signature,
                "extractor_key": _key(extractor.signature, EXTRACTION, language),
                "pipeline": pipeline,
                "pipeline_key": None if pipeline is None else _key(pipeline, PARSING, language),
                "english_extractor": current_extractor().signature,
                "has_types": rules_of(language) is not None,
            }
        )
    return rows_to_table(rows, SCHEMA)


def _key(signature: str, module: str, language: str) -> int:
    """Return the key of an extractor for one language; another extractor has another key."""
    suffix = "" if language == ENGLISH else f"|language:{language}"
    return content_key(f"{signature}{suffix}|{code_behind_module(module)}")
