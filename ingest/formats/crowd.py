"""Corrections, estimates and validity judgments of crowd workers."""

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from maege.ingest.findings import Add, Findings, quote
from maege.ingest.formats.common import csv_rows
from maege.ingest.manifest_schema import Corrections, Normalisation, Validity

# --- Corrections from a crowd: tab-separated, one answer per row ---
#
#     sentence    correction      worker  status
#     He go home .        He goes home .  ann     Approved
#
# Values that contain line ends or tabs are in double quotes. The manifest says how answers are
# compared: unchanged (`none`), by their words only (`words`), or by their words in lower case
# (`words_lower`).

LeftOut = Literal["rejected", "other_batch", "empty"]
Row = tuple[object, ...]

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
    lines: Sequence[str], entry: Corrections, shown: str, findings: Findings
) -> list[Answer]:
    """Return all answers. Rows with faults are skipped, with a finding each.

    An answer is returned with a reason if it is not accepted: the manifest rejects its status or
    its batch, or it has no word.
    """
    names = [name for name in entry.columns.model_dump().values() if name is not None]
    answers = []
    for line, values in csv_rows(lines, names, shown, findings, separator="\t"):
        sentence, correction, worker, status, *batch = values
        key = normalised(sentence, entry.compare)
        if _has_empty({"sentence": key, "worker": worker}, line, values, findings.about(shown)):
            continue
        compared = normalised(correction, entry.compare)
        left_out: LeftOut | None = None
        if entry.batches and batch[0] not in entry.batches:
            left_out = "other_batch"
        elif status in entry.rejected:
            left_out = "rejected"
        elif not compared.strip():
            left_out = "empty"
        person = pseudonym(worker)
        answers.append(Answer(line, key, sentence, compared, correction, person, status, left_out))
    return answers


def correction_rows(
    answers: Sequence[Answer], positions: Mapping[str, int], source: str, add: Add
) -> list[Row]:
    """Return the answers with their sentence ids; None for an answer that is not accepted.

    `positions` are those of the sentences in the file `source`, by normalised text. An accepted
    answer for another sentence is a finding.
    """
    rows: list[Row] = []
    for line, key, *stored in answers:
        sentence_id = None if stored[-1] is not None else positions.get(key)
        if sentence_id is None and stored[-1] is None:
            add(
                line,
                f"an answer to the sentence {quote(str(stored[0]))}",
                f"a sentence of {source}",
                "Correct the sentence, remove the row, or give the crowd a corpus of its own.",
            )
        rows.append((line, sentence_id, *stored))
    return rows


def positions_of(texts: Sequence[str], compare: Normalisation) -> dict[str, int]:
    """Return the position of the first text with each normalised form."""
    positions: dict[str, int] = {}
    for position, text in enumerate(texts):
        positions.setdefault(normalised(text, compare), position)
    return positions


def _has_empty(named: dict[str, str], line: int, values: Sequence[str], add: Add) -> bool:
    """Return whether a column is empty, with a finding for the first one."""
    empty = next((name for name, value in named.items() if not value.strip()), None)
    if empty is not None:
        add(
            line,
            f"no {empty}: {quote(' '.join(values))}",
            f"a {empty} in every row",
            f"Fill in the {empty}, or remove the row.",
        )
    return empty is not None


def pseudonym(worker: str) -> str:
    """Return a pseudonym, which is the same for the same worker."""
    return hashlib.sha256(worker.encode()).hexdigest()[:10]


# --- Estimates of UnseenEst: number of variants by frequency ---
#
#     frequency   # of variants
#     0.0002      1054.95
#
# Each line is one point of the frequency grid.

ESTIMATE_COLUMNS = ("frequency", "# of variants")


def parse_estimate(
    lines: Sequence[str], shown: str, findings: Findings
) -> list[tuple[int, float, float]]:
    """Return line, frequency and (possibly fractional) number of variants of each point.

    Lines with faults are skipped, with a finding each.
    """
    points = []
    for line, values in csv_rows(lines, ESTIMATE_COLUMNS, shown, findings, separator="\t"):
        try:
            frequency, variants = map(float, values)
        except ValueError:
            frequency, variants = math.nan, math.nan
        if math.isfinite(frequency + variants) and frequency > 0:
            points.append((line, frequency, variants))
        else:
            expected = "a frequency above 0 and a number of variants"
            findings.add(shown, line, quote(" ".join(values)), expected, "Correct the line.")
    return points


# --- Judgments of a crowd's corrections: tab-separated, one per row ---
#
#     sentence    correction      worker  valid
#     He go home .        He goes home .  dan     Yes
#
# Sentences and corrections are compared as the corpus compares its corrections.

VERDICTS = {"Yes": True, "No": False}


def validity_rows(
    lines: Sequence[str],
    entry: Validity,
    compare: Normalisation,
    positions: Mapping[str, int],
    source: str,
    shown: str,
    findings: Findings,
) -> list[Row]:
    """Return the judgments with sentence ids. Rows with faults are skipped, with a finding each."""
    add = findings.about(shown)
    rows: list[Row] = []
    names = list(entry.columns.model_dump().values())
    for line, values in csv_rows(lines, names, shown, findings, separator="\t"):
        sentence, correction, worker, verdict = values
        if verdict not in VERDICTS:
            add(
                line,
                f"the verdict {quote(verdict)}",
                " or ".join(VERDICTS),
                "Correct the verdict, or remove the row.",
            )
        elif _has_empty({"worker": worker}, line, values, add):
            continue
        elif (sentence_id := positions.get(normalised(sentence, compare))) is None:
            add(
                line,
                f"a judgment of the sentence {quote(sentence)}",
                f"a sentence of {source}",
                "Correct the sentence, or remove the row.",
            )
        else:
            compared = normalised(correction, compare)
            columns = (line, sentence_id, sentence, compared, correction)
            rows.append((*columns, pseudonym(worker), VERDICTS[verdict]))
    return rows
