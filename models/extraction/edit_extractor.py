"""Which program turns two texts into edits here: ERRANT, or without its pipeline an alignment."""

from typing import Any

import pyarrow as pa

from analysis.extraction.extractor import current_extractor
from analysis.keys import content_key

SCHEMA = pa.schema(
    {
        "extractor": pa.string(),
        "extractor_key": pa.int64(),
        "pipeline": pa.string(),
        "pipeline_key": pa.int64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row."""
    extractor = current_extractor()
    pipeline = extractor.pipeline
    row = {
        "extractor": extractor.signature,
        "extractor_key": content_key(extractor.signature),
        "pipeline": pipeline,
        "pipeline_key": None if pipeline is None else content_key(pipeline),
    }
    return pa.Table.from_pylist([row], schema=SCHEMA)
