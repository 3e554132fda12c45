"""Read files of scores: of a published run, of a user metric, and of GUG."""

import math
from collections.abc import Collection, Hashable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from maege.ingest.findings import Add, Findings, listing, quote
from maege.ingest.formats.common import csv_rows
from maege.ingest.manifest_schema import SCORE_COLUMNS
from maege.ingest.reading import is_whole_number, parse_json, read_text

NUMBER = "a finite number with a decimal point"


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        score = float(value)
    except (ValueError, OverflowError):
        return None
    return score if math.isfinite(score) else None


def _is_repeated(key: Hashable, line: int, first_line: dict[Hashable, int], add: Add) -> bool:
    first = first_line.setdefault(key, line)
    if first != line:
        add(
            line,
            f"a second score of {key}; the first is on line {first}",
            "one score for each sentence of a system, and for each id",
            "Remove one of the two lines.",
        )
    return first != line


# --- Sentence scores: tab-separated, with a header or with columns that the manifest names ---


def parse_scores(
    lines: Sequence[str],
    systems: Collection[str],
    sentences: int,
    add: Add,
    columns: Sequence[str] = (),
) -> list[tuple[int, str, int, float]]:
    """Return line, system, sentence_id and score; `columns` is the header of a file without one."""
    scores = []
    first_lines: dict[Hashable, int] = {}
    for line, (system, sentence, text) in csv_rows(
        lines, SCORE_COLUMNS, add, separator="\t", is_quoted=False, header=columns
    ):
        score = _finite(text)
        is_sentence = is_whole_number(sentence) and int(sentence) < sentences
        if system not in systems or not is_sentence or score is None:
            add(
                line,
                f"the score {quote(text)} of system {quote(system)} for sentence {quote(sentence)}",
                f"{NUMBER}, a sentence_id from 0 to {sentences - 1}, and a system of the manifest: "
                f"{listing(sorted(systems)) or 'it names none'}",
                "Correct the line, leave it out if the metric has no score for this sentence, or "
                "add the system's output to the manifest.",
            )
        elif not _is_repeated((system, int(sentence)), line, first_lines, add):
            scores.append((line, system, int(sentence), score))
    return scores


# --- Scores by input: columns id and score, as CSV, JSON lines or Parquet ---

INPUT_COLUMNS = ("id", "score")
WRITE_AGAIN = "Write the columns id and score; other columns are allowed."
Rows = Iterator[tuple[int, object, object]]


class IdScore(NamedTuple):
    """One line, or one row of Parquet, counted from 1."""

    line: int
    request_id: str
    score: float


def read_scores(path: Path, requested: Collection[str], findings: Findings) -> list[IdScore]:
    add = findings.about(str(path))
    if path.suffix not in (".csv", ".jsonl", ".parquet"):
        add(
            0,
            f"a name that ends in {quote(path.suffix)}",
            ".csv, .jsonl or .parquet",
            "Write the scores in one of these formats, and name the file for it.",
        )
        return []
    rows = _parquet_rows(path, add) if path.suffix == ".parquet" else _text_rows(path, findings)
    scores: list[IdScore] = []
    first_line: dict[Hashable, int] = {}
    for line, value_id, value in rows:
        request_id = str(value_id)
        if request_id not in requested:
            add(
                line,
                f"the id {quote(request_id)}",
                "an id of the file that maege metric requests writes",
                "Remove the line, or write the requests again if corpora changed since.",
            )
        elif (score := _finite(value)) is None:
            add(
                line,
                f"the score {quote(str(value))} of {request_id}",
                NUMBER,
                "Correct the score, or leave the line out and load the others with --partial.",
            )
        elif not _is_repeated(request_id, line, first_line, add):
            scores.append(IdScore(line, request_id, score))
    return scores


def _text_rows(path: Path, findings: Findings) -> Rows:
    file = read_text(path, findings)
    if file is None:
        return
    add = findings.about(str(path))
    if path.suffix == ".csv":
        for line, (request_id, score) in csv_rows(file.lines, INPUT_COLUMNS, add):
            yield line, request_id, score
        return
    for line, text in enumerate(file.lines, start=1):
        try:
            row = parse_json(text)
            yield line, row["id"], row["score"]
        except (ValueError, TypeError, KeyError):
            if text.strip():
                expected = 'an object such as {"id": "3f2a", "score": 0.5}'
                add(line, quote(text), expected, WRITE_AGAIN)


def _parquet_rows(path: Path, add: Add) -> Rows:
    if not path.is_file():
        add(0, "no such file", "a Parquet file", "Correct the path.")
        return
    # Imported here, because most callers read no Parquet.
    import duckdb

    query = "select id, score from read_parquet($1)"
    try:
        rows = duckdb.connect().execute(query, [str(path)]).fetchall()
    except duckdb.Error as error:
        found = f"no Parquet with the columns id and score: {str(error).splitlines()[0]}"
        add(0, found, "a Parquet file", WRITE_AGAIN)
        return
    for line, (request_id, score) in enumerate(rows, start=1):
        yield line, request_id, score


# --- GUG (Heilman et al. 2014): sentences with judgments of grammaticality ---
#
# One tab-separated file with a heading. The reader uses these columns: the sentence, the expert's
# judgment, the average of all judgments, and the part (train, dev, test or none).

FILE = "gug_annotations.tsv"
COLUMNS = ("Sentence", "Expert Judgement", "Average", "Dataset")
BEST = 4
# The expert's judgment of sentences that are not English.
NONE = "none"
PARTS = ("train", "dev", "test", NONE)
FETCH = "Download the release again: the folder gug-data contains the file."


class Judged(NamedTuple):
    """A sentence; judgments range from 0 (not English) to 4 (perfect)."""

    text: str
    expert: float
    average: float
    part: str


def read_gug(folder: Path, findings: Findings) -> list[Judged]:
    path = folder / FILE
    add = findings.about(str(path))
    if not path.is_file():
        add(0, "no such file", "the annotations of GUG", FETCH)
        return []
    file = read_text(path, findings)
    if file is None:
        return []
    sentences: list[Judged] = []
    for line, (text, *values, part) in csv_rows(
        file.lines, COLUMNS, add, separator="\t", is_quoted=False
    ):
        expert, average = (_finite(value) for value in values)
        for judgment, value in ((expert, values[0]), (average, values[1])):
            if judgment is None or not 0 <= judgment <= BEST:
                add(line, f"the judgment {quote(value)}", "a number 0 to 4", FETCH)
        if part not in PARTS:
            add(line, f"the part {quote(part)}", ", ".join(PARTS), FETCH)
        elif expert is not None and average is not None:
            sentences.append(Judged(text, expert, average, part))
    # Training needs sentences of both parts.
    missing = {"train", "test"} - {sentence.part for sentence in sentences}
    if missing and not len(findings):
        add(0, f"no sentence of the part {max(missing)}", "some of each part", FETCH)
    return sentences
