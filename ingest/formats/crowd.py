"""Corrections, estimates and validity judgments of crowd workers (docs/corpora.md)."""

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from maege.ingest.findings import Add, quote
from maege.ingest.formats.common import csv_rows
from maege.ingest.manifest_schema import Corrections, Normalisation, Validity

# --- Corrections from a crowd ---

LeftOut = Literal["rejected", "other_batch", "empty"]
Row = tuple[object, ...]

OTHER_SENTENCE = "Correct or remove the row, or give the crowd a corpus of its own."
NO_WORDS = re.compile(r"\W+")
SINGLE_LETTERS = re.compile(r" ([a-zA-Z]) ([a-zA-Z]) ")


class Answer(NamedTuple):
    """A worker's correction; `key` and `compared` are the normalised sentence and correction."""

    line: int
    key: str
    sentence: str
    compared: str
    correction: str
    worker: str
    status: str
    # The reason why the answer is not accepted.
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


def parse_corrections(lines: Sequence[str], entry: Corrections, add: Add) -> list[Answer]:
    names = [name for name in entry.columns.model_dump().values() if name is not None]
    answers = []
    for line, values in csv_rows(lines, names, add, separator="\t"):
        sentence, correction, worker, status, *batch = values
        key = normalised(sentence, entry.compare)
        if not (key.strip() and worker.strip()):
            found = f"no worker or no sentence: {quote(' '.join(values))}"
            add(line, found, "both in every row", "Fill it in, or remove the row.")
            continue
        compared = normalised(correction, entry.compare)
        left_out: LeftOut | None = None
        if entry.batches and batch[0] not in entry.batches:
            left_out = "other_batch"
        elif status in entry.rejected:
            left_out = "rejected"
        elif not compared.strip():
            left_out = "empty"
        about = (_pseudonym(worker), status, left_out)
        answers.append(Answer(line, key, sentence, compared, correction, *about))
    return answers


def correction_rows(
    answers: Sequence[Answer], positions: Mapping[str, int], source: str, add: Add
) -> list[Row]:
    """Return the answers with their sentence ids, None for an answer that is not accepted."""
    rows: list[Row] = []
    for line, key, *stored in answers:
        is_accepted = stored[-1] is None
        sentence_id = positions.get(key) if is_accepted else None
        if is_accepted and sentence_id is None:
            found = f"an answer to the sentence {quote(str(stored[0]))}"
            add(line, found, f"a sentence of {source}", OTHER_SENTENCE)
        rows.append((line, sentence_id, *stored))
    return rows


def positions_of(texts: Sequence[str], compare: Normalisation) -> dict[str, int]:
    positions: dict[str, int] = {}
    for position, text in enumerate(texts):
        positions.setdefault(normalised(text, compare), position)
    return positions


def _pseudonym(worker: str) -> str:
    return hashlib.sha256(worker.encode()).hexdigest()[:10]


# --- Estimates of UnseenEst: number of variants by frequency ---

ESTIMATE_COLUMNS = ("frequency", "# of variants")


def parse_estimate(lines: Sequence[str], add: Add) -> list[tuple[int, float, float]]:
    """Return line, frequency and (possibly fractional) number of variants of each point."""
    points = []
    for line, values in csv_rows(lines, ESTIMATE_COLUMNS, add, separator="\t"):
        try:
            frequency, variants = map(float, values)
        except ValueError:
            frequency, variants = math.nan, math.nan
        if math.isfinite(frequency + variants) and frequency > 0:
            points.append((line, frequency, variants))
        else:
            expected = "a frequency above 0 and a number of variants"
            add(line, quote(" ".join(values)), expected, "Correct the line.")
    return points


# --- Judgments of a crowd's corrections, compared as the corpus compares its corrections ---

VERDICTS = {"Yes": True, "No": False}


def validity_rows(
    lines: Sequence[str],
    entry: Validity,
    compare: Normalisation,
    positions: Mapping[str, int],
    source: str,
    add: Add,
) -> list[Row]:
    rows: list[Row] = []
    names = list(entry.columns.model_dump().values())
    for line, values in csv_rows(lines, names, add, separator="\t"):
        sentence, correction, worker, verdict = values
        sentence_id = positions.get(normalised(sentence, compare))
        if verdict in VERDICTS and worker.strip() and sentence_id is not None:
            compared = normalised(correction, compare)
            columns = (line, sentence_id, sentence, compared, correction)
            rows.append((*columns, _pseudonym(worker), VERDICTS[verdict]))
        else:
            found = f"a judgment {quote(verdict)} of the sentence {quote(sentence)}"
            expected = f"{' or '.join(VERDICTS)} by a worker, of a sentence of {source}"
            add(line, found, expected, OTHER_SENTENCE)
    return rows
