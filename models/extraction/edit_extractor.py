"""Which program turns two texts into edits here: ERRANT, or without its pipeline an alignment."""

from typing import Any

import pyarrow as pa

from analysis.code import code_behind_module
from analysis.extraction.extractor import current_extractor
from analysis.keys import content_key
from analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "extractor": pa.string(),
        "extractor_key": pa.int64(),
        "pipeline": pa.string(),
        "pipeline_key": pa.int64(),
    }
)

# The modules that the pool calls.
EXTRACTION, PARSING = "analysis.extraction.chunks", "analysis.extraction.parses"


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row."""
    extractor = current_extractor()
    pipeline = extractor.pipeline
    row = {
        "extractor": extractor.signature,
        "extractor_key": _key(extractor.signature, EXTRACTION),
        "pipeline": pipeline,
        "pipeline_key": None if pipeline is None else _key(pipeline, PARSING),
    }
    return rows_to_table([row], SCHEMA)


def _key(signature: str, module: str) -> int:
    return content_key(f"{signature}|{code_behind_module(module)}")
