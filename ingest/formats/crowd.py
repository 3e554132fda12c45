"""Corrections, estimates and validity judgments of crowd workers."""

import hashlib
import math
import re
from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from maege.ingest.findings import Findings, quote
from maege.ingest.formats.common import csv_rows

# --- Corrections from a crowd: tab-separated, one answer per row ---
#
#     sentence    correction      worker  status
#     He go home .        He goes home .  ann     Approved
#
# Values that hold line ends or tabs are in double quotes. Answers are compared as the manifest
# says: as they are (`none`), by their words alone (`words`), or these in lower case
# (`words_lower`).

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


# --- Estimates of UnseenEst: number of variants by frequency ---
#
#     frequency   # of variants
#     0.0002      1054.95
#
# One point of the grid of frequencies a line.

HEADER = "frequency\t# of variants"


class Point(NamedTuple):
    """How many variants, not necessarily whole, have a frequency."""

    line: int
    frequency: float
    variants: float


def parse_estimate(lines: Sequence[str], shown: str, findings: Findings) -> list[Point]:
    """Return the points; each fault becomes a finding and its line is left out."""
    if not lines or lines[0] != HEADER:
        findings.add(
            shown,
            1,
            f"the header {quote(lines[0])}" if lines else "an empty file",
            "the header frequency, # of variants, separated by a tab",
            "Name the output of UnseenEst, not its input.",
        )
        return []
    points = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            frequency, variants = map(float, line.split("\t"))
            if not (math.isfinite(frequency + variants) and frequency > 0):
                raise ValueError
        except ValueError:
            findings.add(
                shown,
                number,
                quote(line),
                "a frequency above 0 and a number of variants, separated by a tab",
                "Correct or remove the line.",
            )
            continue
        points.append(Point(number, frequency, variants))
    return points


# --- Judgments of a crowd's corrections: tab-separated, one per row ---
#
#     sentence    correction      worker  valid
#     He go home .        He goes home .  dan     Yes
#
# Sentences and corrections are compared as the corpus compares its corrections.

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
