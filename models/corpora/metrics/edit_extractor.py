"""The program that extracts the edits between two texts here, for each language.

ERRANT if it has rules for the language and its pipeline is installed, else an alignment.
"""

from typing import Any

from maege.analysis.code import code_behind_module
from maege.analysis.extraction.pipeline import ENGLISH, rules_of
from maege.analysis.extraction.plain_alignment import current_extractor
from maege.analysis.stored.rows import rows_to_table, table_schema
from maege.analysis.texts import content_key

# `english_extractor` is in the signatures of metrics. `has_types`: whether ERRANT has types for the
# language, even if its pipeline is not installed.
SCHEMA = table_schema(
    "language varchar, extractor varchar, extractor_key bigint, pipeline varchar, "
    "pipeline_key bigint, english_extractor varchar, has_types boolean"
)
# The modules that workers call.
EXTRACTION, PARSING = "maege.analysis.extraction.chunks", "maege.analysis.extraction.parses"


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    languages = dbt.source("raw", "corpora").select("language").distinct().order("all").fetchall()
    rows = []
    for (language,) in languages or [(ENGLISH,)]:
        extractor = current_extractor(language)
        pipeline = extractor.pipeline
        rows.append(
            (
                language,
                extractor.signature,
                _key(extractor.signature, EXTRACTION, language),
                pipeline,
                None if pipeline is None else _key(pipeline, PARSING, language),
                current_extractor().signature,
                rules_of(language) is not None,
            )
        )
    return rows_to_table(rows, SCHEMA)


def _key(signature: str, module: str, language: str) -> int:
    suffix = "" if language == ENGLISH else f"|language:{language}"
    return content_key(f"{signature}{suffix}|{code_behind_module(module)}")
