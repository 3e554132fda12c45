"""Corrections from a crowd: tab-separated, one answer of one worker a row.

    sentence	correction	worker	status
    He go home .	He goes home .	ann	Approved

Values that hold line ends or tabs stand in double quotes. Answers are compared as the manifest
says: as they are (`none`), by their words alone (`words`), or these in lower case (`words_lower`).
"""

import hashlib
import re
from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from maege.ingest.findings import Findings, quote
from maege.ingest.formats.csv_rows import csv_rows

Normalisation = Literal["none", "words", "words_lower"]
LeftOut = Literal["rejected", "other_batch", "empty"]

NO_WORDS = re.compile(r"\W+")
SINGLE_LETTERS = re.compile(r" ([a-zA-Z]) ([a-zA-Z]) ")


class Answer(NamedTuple):
    """A worker's correction of a sentence.

    `key` and `compared` are sentence and correction as they are compared, `worker` is a pseudonym,
    and `left_out` the reason why the answer does not count.
    """

    line: int
    key: str
    sentence: str
    compared: str
    correction: str
    worker: str
    status: str
    left_out: LeftOut | None


class Columns(NamedTuple):
    """What a file calls the columns; `batch` is None where there are no batches."""

    sentence: str
    correction: str
    worker: str
    status: str
    batch: str | None


def normalised(text: str, normalisation: Normalisation) -> str:
    """Return the text that is compared.

    As in the program of Choshen and Abend 2018: whatever is of no word becomes a space, and a
    single letter is joined to one that follows it (`U S` to `US`), left to right.
    """
    if normalisation == "none":
        return text
    words = SINGLE_LETTERS.sub(r" \1\2 ", NO_WORDS.sub(" ", text)).strip()
    return words.lower() if normalisation == "words_lower" else words


def parse_corrections(
    lines: Sequence[str],
    shown: str,
    columns: Columns,
    normalisation: Normalisation,
    rejected: Collection[str],
    batches: Collection[str],
    findings: Findings,
) -> list[Answer]:
    """Return all answers; each fault becomes a finding and its row is left out.

    An answer of a `rejected` status, of a batch that is not among `batches` (of any, where there
    are none), or without a word is returned with the reason.
    """
    names = [name for name in columns if name is not None]
    answers = []
    for line, values in csv_rows(lines, names, shown, findings, only=False, separator="\t"):
        sentence, correction, worker, status, *batch = values
        key = normalised(sentence, normalisation)
        for name, value in (("sentence", key), ("worker", worker)):
            if not value.strip():
                report_empty(name, shown, line, values, findings)
                break
        else:
            compared = normalised(correction, normalisation)
            left_out: LeftOut | None = None
            if batches and batch[0] not in batches:
                left_out = "other_batch"
            elif status in rejected:
                left_out = "rejected"
            elif not compared.strip():
                left_out = "empty"
            person = pseudonym(worker)
            answers.append(
                Answer(line, key, sentence, compared, correction, person, status, left_out)
            )
    return answers


def report_empty(
    name: str, shown: str, line: int, values: Sequence[str], findings: Findings
) -> None:
    """Add the finding that a row of these values has an empty column."""
    findings.add(
        shown,
        line,
        f"no {name}: {quote(' '.join(values))}",
        f"a {name} in every row",
        f"Fill in the {name}, or remove the row.",
    )


def pseudonym(worker: str) -> str:
    """Return what stands for a worker: the same for the same worker, and no name."""
    return hashlib.sha256(worker.encode()).hexdigest()[:10]
