"""Read files of scores: of a published run, of a user metric, and of GUG."""

import math
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from maege.ingest.findings import Findings, listing, quote
from maege.ingest.formats.common import csv_rows
from maege.ingest.reading import MOST_UNPACKED, parse_json, read_text

# --- Sentence scores: tab-separated, with the header `system sentence_id score` ---
#
# WMT's segment scores have no header and six columns, which the manifest describes.

HEADER = ["system", "sentence_id", "score"]


class Score(NamedTuple):
    """One line of a score file."""

    line: int
    system: str
    sentence_id: int
    score: float


def parse_scores(
    lines: Sequence[str],
    systems: Collection[str],
    sentences: int,
    shown: str,
    findings: Findings,
    columns: Sequence[str] = (),
) -> list[Score]:
    """Return the scores. Lines with faults are skipped, with a finding each.

    `columns` names the columns of a file without a header, including those of the usual header. If
    `columns` is not given, the first line is the header.
    """
    has_header = not columns
    if not lines or (has_header and lines[0].split("\t") != HEADER):
        findings.add(
            shown,
            1,
            f"the header {quote(lines[0])}" if lines else "an empty file",
            "the header system, sentence_id, score, separated by tabs",
            "Write the header as the first line and separate the columns by tabs, or name the "
            "columns of a file without a header in the manifest, under columns.",
        )
        return []
    names = list(columns or HEADER)
    places = [names.index(name) for name in HEADER]
    scores: list[Score] = []
    seen: dict[tuple[str, int], int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or (number == 1 and has_header):
            continue
        values = line.split("\t")
        if len(values) != len(names):
            findings.add(
                shown,
                number,
                f"{len(values)} columns: {quote(line)}",
                f"{len(names)} columns: {', '.join(names)}",
                "Separate the columns by single tabs.",
            )
            continue
        system, sentence_text, score_text = (values[place] for place in places)
        known = check_system(system, systems, shown, number, findings)
        sentence_id = check_sentence_id(sentence_text, sentences, shown, number, findings)
        score = _finite(score_text, shown, number, findings)
        if not known or sentence_id is None or score is None:
            continue
        first = seen.setdefault((system, sentence_id), number)
        if first != number:
            findings.add(
                shown,
                number,
                f"a second score of {system} for sentence {sentence_id}; the first is on line "
                f"{first}",
                "one score for a system and a sentence",
                "Remove one of the two lines.",
            )
            continue
        scores.append(Score(number, system, sentence_id, score))
    return scores


def check_system(
    system: str, systems: Collection[str], shown: str, line: int, findings: Findings
) -> bool:
    """Return whether the manifest names the system; add a finding if it does not."""
    if system in systems:
        return True
    findings.add(
        shown,
        line,
        f"the system {quote(system)}",
        f"a system of the manifest: {listing(sorted(systems)) or 'it names none'}",
        "Correct the name, or add the system's output to the manifest.",
    )
    return False


def check_sentence_id(
    text: str, sentences: int, shown: str, line: int, findings: Findings
) -> int | None:
    """Return the sentence's position; None and a finding if the corpus has no such sentence."""
    if text.isascii() and text.isdecimal() and len(text) < 10 and int(text) < sentences:
        return int(text)
    findings.add(
        shown,
        line,
        f"the sentence_id {quote(text)}",
        f"a whole number from 0 to {sentences - 1}",
        "Count the sentences of the corpus from 0.",
    )
    return None


def _finite(text: str, shown: str, line: int, findings: Findings) -> float | None:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if math.isfinite(score):
        return score
    findings.add(
        shown,
        line,
        f"the score {quote(text)}",
        "a finite number with a decimal point",
        "Correct the score, or leave the line out if the metric has none for this sentence.",
    )
    return None


# --- Scores by input: columns id and score, as CSV, JSON lines or Parquet ---

INPUT_COLUMNS = ("id", "score")
WRITE_AGAIN = "Write the columns id and score; other columns are allowed."


class IdScore(NamedTuple):
    """One line, or one row of Parquet, counted from 1."""

    line: int
    request_id: str
    score: float


def read_scores(path: Path, requested: Collection[str], findings: Findings) -> list[IdScore]:
    """Return the scores of requested ids. Lines with faults are skipped, with a finding each."""
    shown = str(path)
    match path.suffix:
        case ".csv":
            rows = _csv_rows(path, findings)
        case ".jsonl":
            rows = _json_rows(path, findings)
        case ".parquet":
            rows = _parquet_rows(path, findings)
        case _:
            findings.add(
                shown,
                0,
                f"a name that ends in {quote(path.suffix)}",
                ".csv, .jsonl or .parquet",
                "Write the scores in one of these formats, and name the file for it.",
            )
            return []
    scores: list[IdScore] = []
    first_line: dict[str, int] = {}
    for line, given_id, value in rows:
        request_id = str(given_id)
        if request_id not in requested:
            findings.add(
                shown,
                line,
                f"the id {quote(request_id)}",
                "an id of the file that maege metric requests writes",
                "Remove the line, or write the requests again if corpora changed since.",
            )
            continue
        score = _score_of(value)
        if score is None:
            findings.add(
                shown,
                line,
                f"the score {quote(str(value))} of {request_id}",
                "a finite number with a decimal point",
                "Correct the score, or leave the line out and load the others with --partial.",
            )
            continue
        first = first_line.setdefault(request_id, line)
        if first != line:
            findings.add(
                shown,
                line,
                f"a second score of {request_id}; the first is on line {first}",
                "one score for an id",
                "Remove one of the two lines.",
            )
            continue
        scores.append(IdScore(line, request_id, score))
    return scores


def _score_of(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        score = float(value)
    except (ValueError, OverflowError):
        return None
    return score if math.isfinite(score) else None


def _csv_rows(path: Path, findings: Findings) -> Iterator[tuple[int, Any, Any]]:
    file = read_text(path, findings)
    if file is not None:
        rows = csv_rows(file.lines, INPUT_COLUMNS, str(path), findings, only=False)
        yield from ((line, request_id, score) for line, (request_id, score) in rows)


def _json_rows(path: Path, findings: Findings) -> Iterator[tuple[int, Any, Any]]:
    file = read_text(path, findings)
    if file is None:
        return
    for line, text in enumerate(file.lines, start=1):
        if not text.strip():
            continue
        try:
            row = parse_json(text)
        except ValueError:
            row = None
        if not isinstance(row, dict) or not all(name in row for name in INPUT_COLUMNS):
            findings.add(
                str(path),
                line,
                quote(text),
                'an object such as {"id": "3f2a", "score": 0.5}',
                WRITE_AGAIN,
            )
            continue
        yield line, row["id"], row["score"]


def _parquet_rows(path: Path, findings: Findings) -> Iterator[tuple[int, Any, Any]]:
    if not path.is_file():
        found = "no file" if path.exists() else "no such file"
        findings.add(str(path), 0, found, "a Parquet file", "Correct the path.")
        return
    # Imported here, because most builds read no Parquet and need no NumPy.
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        about = pq.read_metadata(path)
        if not _has_columns(about.schema.to_arrow_schema().names, str(path), findings):
            return
        groups = [about.row_group(number) for number in range(about.num_row_groups)]
        size = sum(group.total_byte_size for group in groups)
        if size > MOST_UNPACKED:
            findings.add(
                str(path),
                0,
                f"a Parquet file that unpacks to {size:,} bytes",
                f"one that unpacks to at most {MOST_UNPACKED:,} bytes",
                "Write the columns id and score to several files, and load one after the other.",
            )
            return
        table = pq.read_table(path, columns=list(INPUT_COLUMNS))
    except (pa.ArrowInvalid, OSError) as error:
        problem = str(error).splitlines()[0]
        findings.add(str(path), 0, f"no Parquet: {problem}", "a Parquet file", WRITE_AGAIN)
        return
    columns = (table[name].to_pylist() for name in INPUT_COLUMNS)
    for line, (given_id, score) in enumerate(zip(*columns, strict=True), start=1):
        yield line, given_id, score


def _has_columns(names: list[str], shown: str, findings: Findings) -> bool:
    if all(names.count(name) == 1 for name in INPUT_COLUMNS):
        return True
    found = ", ".join(names) if names else "nothing"
    findings.add(shown, 1, f"the columns {found}", "the columns id and score", WRITE_AGAIN)
    return False


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
    """Return the sentences of the release in the folder; each fault becomes a finding."""
    path = folder / FILE
    if not path.is_file():
        findings.add(str(path), 0, "no such file", "the annotations of GUG", FETCH)
        return []
    file = read_text(path, findings)
    if file is None:
        return []
    heading = file.lines[0].split("\t") if file.lines else []
    missing = [name for name in COLUMNS if name not in heading]
    if missing:
        findings.add(file.shown, 1, f"no column {missing[0]}", ", ".join(COLUMNS), FETCH)
        return []
    places = [heading.index(name) for name in COLUMNS]
    sentences = []
    for number, line in enumerate(file.lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != len(heading):
            findings.add(
                file.shown, number, f"{len(cells)} columns", f"{len(heading)} columns", FETCH
            )
            continue
        judged = _judged([cells[place] for place in places], file.shown, number, findings)
        if judged is not None:
            sentences.append(judged)
    _check_parts(sentences, file.shown, findings)
    return sentences


def _judged(cells: list[str], shown: str, line: int, findings: Findings) -> Judged | None:
    text, expert, average, part = cells
    for value in (expert, average):
        if not 0 <= _number(value) <= BEST:
            findings.add(shown, line, f"the judgment {quote(value)}", "a number 0 to 4", FETCH)
            return None
    if part not in PARTS:
        findings.add(shown, line, f"the part {quote(part)}", ", ".join(PARTS), FETCH)
        return None
    return Judged(text, _number(expert), _number(average), part)


def _number(written: str) -> float:
    try:
        return float(written)
    except ValueError:
        return math.nan


def _check_parts(sentences: list[Judged], shown: str, findings: Findings) -> None:
    """Add a finding for a part without sentences; training needs both kinds of sentences."""
    if len(findings):
        return
    for part in ("train", "test"):
        if not any(sentence.part == part for sentence in sentences):
            findings.add(shown, 0, f"no sentence of the part {part}", "some of each part", FETCH)
