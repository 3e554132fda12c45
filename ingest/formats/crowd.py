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
# Values that contain line ends or tabs are in double quotes. The manifest says how answers are
# compared: unchanged (`none`), by their words only (`words`), or by their words in lower case
# (`words_lower`).

Normalisation = Literal["none", "words", "words_lower"]
LeftOut = Literal["rejected", "other_batch", "empty"]

NO_WORDS = re.compile(r"\W+")
SINGLE_LETTERS = re.compile(r" ([a-zA-Z]) ([a-zA-Z]) ")


class Answer(NamedTuple):
    """A worker's correction of a sentence.

    `key` and `compared` are the normalised sentence and correction for comparisons. `worker` is a
    pseudonym. `left_out` is the reason why the answer is not accepted.
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
    """Names of the columns in a file; `batch` is None if there are no batches."""

    sentence: str
    correction: str
    worker: str
    status: str
    batch: str | None


def normalised(text: str, normalisation: Normalisation) -> str:
    """Return the normalised text for comparisons.

    As in the program of Choshen and Abend 2018, every non-word character becomes a space, and a
    single letter is joined to a following single letter (`U S` to `US`), from left to right.
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
    """Return all answers. Rows with faults are skipped, with a finding each.

    An answer is returned with a reason if it is not accepted: its status is in `rejected`, its
    batch is not among `batches` (if any are given), or it has no word.
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
    """Add a finding for a row with an empty column."""
    findings.add(
        shown,
        line,
        f"no {name}: {quote(' '.join(values))}",
        f"a {name} in every row",
        f"Fill in the {name}, or remove the row.",
    )


def pseudonym(worker: str) -> str:
    """Return a pseudonym, which is the same for the same worker."""
    return hashlib.sha256(worker.encode()).hexdigest()[:10]


# --- Estimates of UnseenEst: number of variants by frequency ---
#
#     frequency   # of variants
#     0.0002      1054.95
#
# Each line is one point of the frequency grid.

HEADER = "frequency\t# of variants"


class Point(NamedTuple):
    """The (possibly fractional) number of variants with a frequency."""

    line: int
    frequency: float
    variants: float


def parse_estimate(lines: Sequence[str], shown: str, findings: Findings) -> list[Point]:
    """Return the points. Lines with faults are skipped, with a finding each."""
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
    """A judge's verdict; `key` and `compared` are the normalised sentence and correction."""

    line: int
    key: str
    sentence: str
    compared: str
    correction: str
    worker: str
    is_valid: bool


class ValidityColumns(NamedTuple):
    """Names of the columns in a file."""

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
    """Return all judgments. Rows with faults are skipped, with a finding each."""
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
