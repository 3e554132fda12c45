"""Which way from two texts to edits is open on this machine."""

from functools import cache
from typing import NamedTuple

from maege.analysis.extraction.pipeline import ENGLISH, Missing, pipeline_status
from maege.analysis.extraction.plain_alignment import SIGNATURE as PLAIN_SIGNATURE


class Extractor(NamedTuple):
    """`signature` names everything that the edits depend on; `pipeline` what parses the texts.

    `pipeline` is None where no parses are read.
    """

    signature: str
    pipeline: str | None


@cache
def current_extractor(language: str = ENGLISH) -> Extractor:
    """Return ERRANT where it has rules and a pipeline for the language, else plain alignment."""
    status = pipeline_status(language)
    if isinstance(status, Missing):
        return Extractor(PLAIN_SIGNATURE, None)
    return Extractor(status.signature, status.pipeline)
