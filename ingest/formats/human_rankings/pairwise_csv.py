"""Human rankings as CSV with the systems of an item in a row, as the scripts of WMT read them.

    srcIndex,judgeID,system1Id,system2Id,system1rank,system2rank

Any number of systems from two on: `system3Id`, `system3rank` and so on; other columns are ignored,
and names of columns may differ in capitals (`judgeId`). A file of pairs (NSPT15, JFLEG) does not
number its items: all pairs of an item follow each other. A row of more systems (WMT) is an item.
The rank -1 says that the judge left the system without one; a place without a name is empty.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from maege.ingest.findings import Findings
from maege.ingest.formats.csv_rows import chosen_rows, refuse_columns
from maege.ingest.formats.human_rankings.rankings import (
    UNRANKED,
    Cell,
    Item,
    Rankings,
    Scope,
    rankings_of_items,
)

SENTENCE = "srcIndex"
JUDGE = "judgeID"
PLACE = re.compile(r"system([0-9]{1,3})id", re.IGNORECASE)
NO_SYSTEM = ("", UNRANKED)


class _Row(NamedTuple):
    """What a judge said of one sentence: the names and ranks of the systems in their order."""

    line: int
    sentence: str
    judge: str
    cells: list[tuple[str, str]]


def is_pairwise_header(line: str) -> bool:
    """Whether the line is the header of such a file."""
    return any(PLACE.fullmatch(name.strip()) for name in line.split(","))


def parse_pairwise(lines: Sequence[str], scope: Scope, shown: str, findings: Findings) -> Rankings:
    """Return the judgments; each fault becomes a finding and its line is left out.

    Consecutive pairs are one item where they are all pairs of some systems, each of one rank.
    """

    def places(header: list[str]) -> list[int] | None:
        return _places(header, shown, findings)

    rows: list[_Row] = []
    for line, (sentence, judge, *values) in chosen_rows(lines, places, shown, findings):
        pairs = zip(values[::2], values[1::2], strict=True)
        cells = [(name, rank.strip()) for name, rank in pairs if name.strip() not in NO_SYSTEM]
        if judge.strip() and len(cells) > 1:
            rows.append(_Row(line, sentence, judge, cells))
        else:
            findings.add(
                shown,
                line,
                "a ranking without judge, or of fewer than two systems",
                f"a {JUDGE}, a system1Id and a system2Id",
                "Fill in what is missing.",
            )
    return rankings_of_items(_items(rows, scope, shown, findings), scope, shown, findings)


def _places(header: list[str], shown: str, findings: Findings) -> list[int] | None:
    """Return where sentence, judge, and name and rank of every system stand."""
    names = [name.lower() for name in header]
    systems = sorted({int(found[1]) for name in names if (found := PLACE.fullmatch(name))} | {1, 2})
    wanted = [SENTENCE, JUDGE]
    for number in systems:
        wanted += [f"system{number}Id", f"system{number}rank"]
    missing = [name for name in wanted if names.count(name.lower()) != 1]
    if missing:
        expected = f"each of the columns {', '.join(wanted)} once"
        refuse_columns(header, missing, expected, shown, findings)
        return None
    return [names.index(name.lower()) for name in wanted]


def _items(rows: Sequence[_Row], scope: Scope, shown: str, findings: Findings) -> Iterator[Item]:
    start = 0
    while start < len(rows):
        first = rows[start]
        is_pair = len(first.cells) == 2
        cells = _cells_of_pairs(rows, start) if is_pair else _cells(first.line, first.cells)
        yield Item(
            first.line,
            first.judge,
            first.sentence,
            scope.sentence_id(first.sentence, SENTENCE, shown, first.line, findings),
            cells,
            is_numbered=False,
        )
        start += len(cells) * (len(cells) - 1) // 2 if is_pair else 1


def _cells(line: int, ranked: Sequence[tuple[str, str]]) -> list[Cell]:
    """Return the outputs; systems that wrote the same are joined by commas or blanks."""
    return [Cell(line, tuple(name.replace(",", " ").split()), rank) for name, rank in ranked]


def _cells_of_pairs(rows: Sequence[_Row], start: int) -> list[Cell]:
    """Return the outputs of the largest item that begins with the pair at `start`."""
    leader = rows[start]
    ranked = [(leader.line, *leader.cells[0])]
    for row in rows[start:]:
        (first, _), *others = row.cells
        if (first, row.sentence, row.judge) != (
            leader.cells[0][0],
            leader.sentence,
            leader.judge,
        ) or len(others) > 1:
            break
        name, rank = others[0]
        if name in {known for _, known, _ in ranked}:
            break
        ranked.append((row.line, name, rank))
    while len(ranked) > 2 and not _are_all_pairs(rows, start, [cell[1:] for cell in ranked]):
        ranked.pop()
    # A system paired with itself is an item of one output that is ranked twice.
    if len(ranked) == 1:
        ranked.append((leader.line, *leader.cells[1]))
    return [cell for line, name, rank in ranked for cell in _cells(line, [(name, rank)])]


def _are_all_pairs(rows: Sequence[_Row], start: int, ranked: Sequence[tuple[str, str]]) -> bool:
    expected = {frozenset(pair) for pair in combinations(ranked, 2)}
    these = rows[start : start + len(expected)]
    found = {frozenset(row.cells) for row in these}
    return found == expected and {(row.sentence, row.judge) for row in these} == {
        (rows[start].sentence, rows[start].judge)
    }
