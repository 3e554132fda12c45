"""What judges say of a crowd's corrections: tab-separated, one judgment of one judge a row.

    sentence	correction	worker	valid
    He go home .	He goes home .	dan	Yes

Sentences and corrections are compared as the corpus compares its corrections.
"""

from collections.abc import Sequence
from typing import NamedTuple

from maege.ingest.findings import Findings, quote
from maege.ingest.formats.crowd.corrections import (
    Normalisation,
    normalised,
    pseudonym,
    report_empty,
)
from maege.ingest.formats.csv_rows import csv_rows

VERDICTS = {"Yes": True, "No": False}


class Judgment(NamedTuple):
    """A judge's verdict; `key` and `compared` are sentence and correction as they are compared."""

    line: int
    key: str
    sentence: str
    compared: str
    correction: str
    worker: str
    is_valid: bool


class ValidityColumns(NamedTuple):
    """What a file calls the columns."""

    sentence: str
    correction: str
    worker: str
    valid: str


def parse_validity(
    lines: Sequence[str],
    shown: str,
    columns: ValidityColumns,
    normalisation: Normalisation,
    findings: Findings,
) -> list[Judgment]:
    """Return all judgments; each fault becomes a finding and its row is left out."""
    judgments = []
    for line, values in csv_rows(lines, list(columns), shown, findings, only=False, separator="\t"):
        sentence, correction, worker, verdict = values
        if verdict not in VERDICTS:
            findings.add(
                shown,
                line,
                f"the verdict {quote(verdict)}",
                " or ".join(VERDICTS),
                "Correct the verdict, or remove the row.",
            )
        elif not worker.strip():
            report_empty("worker", shown, line, values, findings)
        else:
            key, compared = (normalised(text, normalisation) for text in (sentence, correction))
            person = pseudonym(worker)
            judgments.append(
                Judgment(line, key, sentence, compared, correction, person, VERDICTS[verdict])
            )
    return judgments
