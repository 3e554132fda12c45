"""The edit extractor that is available on this machine."""

from functools import cache
from typing import NamedTuple

from maege.analysis.extraction.pipeline import ENGLISH, Missing, pipeline_status
from maege.analysis.extraction.plain_alignment import SIGNATURE as PLAIN_SIGNATURE


class Extractor(NamedTuple):
    """`signature` identifies everything that the edits depend on; `pipeline` parses the texts.

    `pipeline` is None if no parses are needed.
    """

    signature: str
    pipeline: str | None


@cache
def current_extractor(language: str = ENGLISH) -> Extractor:
    """Return ERRANT if it has rules and a pipeline for the language, else plain alignment."""
    status = pipeline_status(language)
    if isinstance(status, Missing):
        return Extractor(PLAIN_SIGNATURE, None)
    return Extractor(status.signature, status.pipeline)
