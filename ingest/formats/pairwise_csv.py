"""Human rankings as CSV with a row for each pair of systems of an item.

The form in which Napoles et al. 2015 published theirs (NSPT15) and that the scripts of WMT read:
columns system1Id, system1rank, system2Id, system2rank, srcIndex and judgeID, others are ignored.
The file does not number its items; all pairs of an item follow each other.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from ingest.findings import Findings
from ingest.formats.csv_rows import csv_rows
from ingest.formats.rankings import Cell, Item, Rankings, Scope, rankings_of_items

SENTENCE = "srcIndex"
COLUMNS = ("system1Id", "system1rank", "system2Id", "system2rank", SENTENCE, "judgeID")


class _Pair(NamedTuple):
    line: int
    first: str
    first_rank: str
    second: str
    second_rank: str
    sentence: str
    judge: str


def parse_pairwise(lines: Sequence[str], scope: Scope, shown: str, findings: Findings) -> Rankings:
    """Return the judgments; each fault becomes a finding and its line is left out.

    Consecutive pairs are one item where they are all pairs of some systems, each of one rank.
    """
    pairs: list[_Pair] = []
    for line, values in csv_rows(lines, COLUMNS, shown, findings, only=False):
        pair = _Pair(line, *values)
        if pair.judge.strip() and pair.first.strip() and pair.second.strip():
            pairs.append(pair)
        else:
            findings.add(
                shown,
                line,
                "a pair without judge or system",
                "a judgeID, a system1Id and a system2Id",
                "Fill in what is missing.",
            )
    return rankings_of_items(_items(pairs, scope, shown, findings), scope, shown, findings)


def _items(pairs: Sequence[_Pair], scope: Scope, shown: str, findings: Findings) -> Iterator[Item]:
    start = 0
    while start < len(pairs):
        first = pairs[start]
        cells = _cells_of_item(pairs, start)
        yield Item(
            first.line,
            first.judge,
            first.sentence,
            scope.sentence_id(first.sentence, SENTENCE, shown, first.line, findings),
            cells,
            is_numbered=False,
        )
        start += len(cells) * (len(cells) - 1) // 2


def _cells_of_item(pairs: Sequence[_Pair], start: int) -> list[Cell]:
    """Return the outputs of the largest item that begins with the pair at `start`."""
    leader = pairs[start]
    cells = [Cell(leader.line, (leader.first,), leader.first_rank)]
    for pair in pairs[start:]:
        if (pair.first, pair.sentence, pair.judge) != (
            leader.first,
            leader.sentence,
            leader.judge,
        ) or pair.second in {cell.systems[0] for cell in cells}:
            break
        cells.append(Cell(pair.line, (pair.second,), pair.second_rank))
    while len(cells) > 2 and not _are_all_pairs(pairs, start, cells):
        cells.pop()
    # A system paired with itself is an item of one output that is ranked twice.
    return cells if len(cells) > 1 else [*cells, Cell(leader.line, cells[0].systems, leader[4])]


def _are_all_pairs(pairs: Sequence[_Pair], start: int, cells: Sequence[Cell]) -> bool:
    expected = {
        frozenset(((a.systems[0], a.rank), (b.systems[0], b.rank)))
        for a, b in combinations(cells, 2)
    }
    rows = pairs[start : start + len(expected)]
    found = {frozenset(((p.first, p.first_rank), (p.second, p.second_rank))) for p in rows}
    return found == expected and {(p.sentence, p.judge) for p in rows} == {
        (pairs[start].sentence, pairs[start].judge)
    }
