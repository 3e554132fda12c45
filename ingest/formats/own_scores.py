"""Scores by input: a table with the columns id and score, as CSV, JSON lines or Parquet."""

import math
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from maege.ingest.findings import Findings, quote
from maege.ingest.formats.csv_rows import csv_rows
from maege.ingest.reading import MOST_UNPACKED, parse_json, read_text

COLUMNS = ("id", "score")
WRITE_AGAIN = "Write the columns id and score; other columns may stand beside them."


class IdScore(NamedTuple):
    """One line, or one row of Parquet, counted from 1."""

    line: int
    request_id: str
    score: float


def read_scores(path: Path, requested: Collection[str], findings: Findings) -> list[IdScore]:
    """Return the scores of requested ids; each fault becomes a finding and its line is left out."""
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
                "an id of the file that maege requests writes",
                "Remove the line, or write the requests again if corpora changed since.",
            )
            continue
        score = _number(value)
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


def _number(value: object) -> float | None:
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
        rows = csv_rows(file.lines, COLUMNS, str(path), findings, only=False)
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
        if not isinstance(row, dict) or not all(name in row for name in COLUMNS):
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
        table = pq.read_table(path, columns=list(COLUMNS))
    except (pa.ArrowInvalid, OSError) as error:
        problem = str(error).splitlines()[0]
        findings.add(str(path), 0, f"no Parquet: {problem}", "a Parquet file", WRITE_AGAIN)
        return
    columns = (table[name].to_pylist() for name in COLUMNS)
    for line, (given_id, score) in enumerate(zip(*columns, strict=True), start=1):
        yield line, given_id, score


def _has_columns(names: list[str], shown: str, findings: Findings) -> bool:
    if all(names.count(name) == 1 for name in COLUMNS):
        return True
    found = ", ".join(names) if names else "nothing"
    findings.add(shown, 1, f"the columns {found}", "the columns id and score", WRITE_AGAIN)
    return False
