"""Human rankings: comma-separated, with the header `judge,item,sentence_id,system,rank`.

An item is one ranking task of one judge: several outputs for one sentence. Rank 1 is the best, and
tied systems share a rank.
"""

import csv
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from ingest.findings import Findings, quote
from ingest.formats.scores import check_sentence_id, check_system

HEADER = ["judge", "item", "sentence_id", "system", "rank"]
SHORTEST_TOO_LONG_RANK = 10


class Judgment(NamedTuple):
    """One line of a judgments file."""

    line: int
    judge: str
    item: str
    sentence_id: int
    system: str
    rank: int


def parse_judgments(
    lines: Sequence[str],
    systems: Collection[str],
    sentences: int,
    shown: str,
    findings: Findings,
) -> list[Judgment]:
    """Return the judgments; each fault becomes a finding and its line is left out."""
    rows = _rows(lines, shown, findings)
    header = next(rows, None)
    if header is None or header[1] != HEADER:
        findings.add(
            shown,
            1,
            "an empty file" if header is None else f"the header {quote(','.join(header[1]))}",
            f"the header {','.join(HEADER)}",
            "Write the header as the first line and separate the columns by commas.",
        )
        return []
    judgments: list[Judgment] = []
    seen: dict[tuple[str, str, str], int] = {}
    sentence_of: dict[tuple[str, str], int] = {}
    for number, values in rows:
        judgment = _judgment(number, values, systems, sentences, shown, findings)
        if judgment is None:
            continue
        item = f"item {judgment.item} of {judgment.judge}"
        first = seen.setdefault((judgment.judge, judgment.item, judgment.system), number)
        sentence_id = sentence_of.setdefault((judgment.judge, judgment.item), judgment.sentence_id)
        if first != number:
            findings.add(
                shown,
                number,
                f"a second rank of {judgment.system} in {item}; the first is on line {first}",
                "one rank for a system in an item",
                "Remove one of the lines, or give a repeated task an item of its own.",
            )
        elif sentence_id != judgment.sentence_id:
            findings.add(
                shown,
                number,
                f"sentence {judgment.sentence_id} in {item}, which began with {sentence_id}",
                "one sentence for an item",
                "Give each ranking task an item of its own.",
            )
        else:
            judgments.append(judgment)
    return judgments


def _rows(lines: Sequence[str], shown: str, findings: Findings) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, strict=True)
    try:
        for values in reader:
            if values:
                yield reader.line_num, values
    except csv.Error as error:
        findings.add(
            shown,
            reader.line_num,
            f"a line that is not CSV: {error}",
            "comma-separated values; a value with a comma stands in double quotes",
            "Correct the quotation marks.",
        )


def _judgment(
    number: int,
    values: list[str],
    systems: Collection[str],
    sentences: int,
    shown: str,
    findings: Findings,
) -> Judgment | None:
    if len(values) != len(HEADER):
        findings.add(
            shown,
            number,
            f"{len(values)} columns: {quote(','.join(values))}",
            f"5 columns: {', '.join(HEADER)}",
            "Write all five columns, separated by commas.",
        )
        return None
    judge, item, sentence_text, system, rank_text = values
    good = True
    for column, value in (("judge", judge), ("item", item)):
        if not value.strip():
            good = False
            findings.add(shown, number, f"an empty {column}", f"a {column}", f"Name the {column}.")
    good = check_system(system, systems, shown, number, findings) and good
    sentence_id = check_sentence_id(sentence_text, sentences, shown, number, findings)
    rank = _rank(rank_text, shown, number, findings)
    if not good or sentence_id is None or rank is None:
        return None
    return Judgment(number, judge, item, sentence_id, system, rank)


def _rank(text: str, shown: str, line: int, findings: Findings) -> int | None:
    is_number = text.isascii() and text.isdecimal() and len(text) < SHORTEST_TOO_LONG_RANK
    if is_number and int(text) > 0:
        return int(text)
    findings.add(
        shown,
        line,
        f"the rank {quote(text)}",
        "a whole number of 1 or more; 1 is the best",
        "Write ranks as 1, 2, 3 ...; tied systems share a rank.",
    )
    return None
