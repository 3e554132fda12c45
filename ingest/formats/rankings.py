"""Common parts of all formats of human rankings: items, and their judgments.

An item is one ranking task of one judge: outputs of one sentence. Systems with the same output may
share one cell, which has one rank.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from maege.ingest.findings import Findings, listing, quote
from maege.ingest.reading import is_whole_number

ConflictKind = Literal[
    "skipped",
    "judge_left_out",
    "item_twice",
    "repetition",
    "contradiction",
    "unranked",
]
# The kind of finding for a file without any ranking.
NO_RANKINGS = "no_rankings"
# The rank of a system that a judge saw but did not rank.
UNRANKED = "-1"


class Judgment(NamedTuple):
    """The rank of one system in an item, from 1, the best.

    `cell` counts the outputs of the item and `item_position` the items of the file, both from 0.
    """

    line: int
    judge: str
    item: str
    sentence_id: int
    system: str
    rank: int
    cell: int
    item_position: int


class Conflict(NamedTuple):
    """Content of a file that is not a judgment, or that another line contradicts."""

    line: int
    judge: str
    item: str
    sentence_id: int
    kind: ConflictKind
    detail: str


@dataclass
class Rankings:
    """The judgments of a file, its unused content, and the number of its items.

    `other_documents` is the number of items in documents that the manifest does not select.
    """

    judgments: list[Judgment] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    items: int = 0
    other_documents: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Cell:
    """One output of an item in the file, with all systems that produced it."""

    line: int
    systems: tuple[str, ...]
    rank: str


@dataclass
class Item:
    """One ranking task in the file; `sentence_id` is None if the sentence caused a finding.

    `is_numbered` says that the name identifies the item: a second item of the judge with this name
    is the same item.
    """

    line: int
    judge: str
    name: str
    sentence_id: int | None
    cells: list[Cell] = field(default_factory=list)
    is_numbered: bool = True


@dataclass(frozen=True)
class Scope:
    """What rankings may refer to: the corpus, and the manifest's settings for the file.

    `rows` maps rows to sentences if the corpus is a selection of the rows that the file counts.
    """

    systems: Collection[str]
    sentences: int
    first_sentence_id: int = 0
    names: Mapping[str, str] = field(default_factory=dict)
    without_outputs: Collection[str] = ()
    without_judges: Collection[str] = ()
    documents: Collection[str] = ()
    rows: Mapping[int, int] | None = None

    def sentence_id(
        self, text: str, column: str, shown: str, line: int, findings: Findings
    ) -> int | None:
        """Return the sentence's position; None and a finding if there is no such sentence."""
        first = self.first_sentence_id
        last = self.sentences - 1 + first
        if is_whole_number(text) and int(text) >= first:
            row = int(text) - first
            sentence_id = row if self.rows is None else self.rows.get(row, self.sentences)
            if sentence_id < self.sentences:
                return sentence_id
        findings.add(
            shown,
            line,
            f"the {column} {quote(text)}",
            f"a whole number from {first} to {last}"
            if self.rows is None
            else f"one of the {self.sentences} sentences that the manifest chooses with ids",
            f"Count the sentences of the corpus from {first}; the manifest says with "
            "first_sentence_id from which number a file counts.",
        )
        return None


def rankings_of_items(
    items: Iterable[Item], scope: Scope, shown: str, findings: Findings, *, strict: bool = False
) -> Rankings:
    """Return the judgments of the items, with shared cells expanded to systems.

    Faulty items are skipped, with a finding each. If an item has a system twice, it is a finding
    with `strict`, else a conflict: a repeated equal rank counts once, and two different ranks count
    as none.
    """
    rankings = Rankings()
    times: dict[tuple[str, str], int] = {}
    for position, item in enumerate(items):
        rankings.items += 1
        time = times[item.judge, item.name] = times.get((item.judge, item.name), 0) + 1
        name = item.name if time == 1 else f"{item.name}#{time}"
        whole = _whole_item_conflict(item, time, scope)
        if whole is not None:
            rankings.conflicts += _conflicts(item, name, [(item.line, *whole)])
            continue
        ranks = _ranks(item, scope, shown, findings)
        if strict:
            _refuse_second_ranks(item, ranks, shown, findings)
        rankings.conflicts += _conflicts(item, name, _unranked(item))
        for system, given_ranks in ranks.items():
            if len({rank for _, rank, _ in given_ranks}) == 1 and item.sentence_id is not None:
                line, rank, cell = given_ranks[0]
                rankings.judgments.append(
                    Judgment(line, item.judge, name, item.sentence_id, system, rank, cell, position)
                )
            rankings.conflicts += _conflicts(item, name, _second_ranks(system, given_ranks))
    return rankings


def _whole_item_conflict(item: Item, time: int, scope: Scope) -> tuple[ConflictKind, str] | None:
    if item.judge in scope.without_judges:
        return "judge_left_out", f"the manifest leaves out {item.judge}"
    if all(cell.rank == UNRANKED for cell in item.cells):
        return "skipped", "no system is ranked"
    if item.is_numbered and time > 1:
        return "item_twice", f"item {item.name} of {item.judge} for time {time}; the first counts"
    return None


def _conflicts(
    item: Item, name: str, found: Iterable[tuple[int, ConflictKind, str]]
) -> list[Conflict]:
    if item.sentence_id is None:
        return []
    return [
        Conflict(line, item.judge, name, item.sentence_id, kind, detail)
        for line, kind, detail in found
    ]


def _ranks(
    item: Item, scope: Scope, shown: str, findings: Findings
) -> dict[str, list[tuple[int, int, int]]]:
    ranks: dict[str, list[tuple[int, int, int]]] = {}
    for number, cell in enumerate(item.cells):
        rank = None if cell.rank == UNRANKED else _rank(cell, shown, findings)
        for name in cell.systems:
            system = scope.names.get(name, name)
            if system not in scope.systems and system not in scope.without_outputs:
                findings.add(
                    shown,
                    cell.line,
                    f"the system {quote(system)}",
                    f"a system of the corpus: {listing(sorted(scope.systems)) or 'it has none'}",
                    "Correct the name, map it to the system's under names, add the system's "
                    "output to the manifest, or list it under without_outputs.",
                )
            elif rank is not None:
                ranks.setdefault(system, []).append((cell.line, rank, number))
    return ranks


def _unranked(item: Item) -> list[tuple[int, ConflictKind, str]]:
    return [
        (cell.line, "unranked", f"{' '.join(cell.systems)} has no rank; the others count")
        for cell in item.cells
        if cell.rank == UNRANKED
    ]


def _second_ranks(
    system: str, given: list[tuple[int, int, int]]
) -> list[tuple[int, ConflictKind, str]]:
    if len(given) == 1:
        return []
    shown = " and ".join(f"{rank} on line {line}" for line, rank, _ in given)
    is_same = len({rank for _, rank, _ in given}) == 1
    kind: ConflictKind = "repetition" if is_same else "contradiction"
    counts = "the first counts" if is_same else "none counts"
    return [(given[1][0], kind, f"{system} has the rank {shown}; {counts}")]


def _refuse_second_ranks(
    item: Item, ranks: dict[str, list[tuple[int, int, int]]], shown: str, findings: Findings
) -> None:
    for system, ((first, _, _), *others) in ranks.items():
        for line, _, _ in others:
            findings.add(
                shown,
                line,
                f"a second rank of {system} in item {item.name} of {item.judge}; the first is on "
                f"line {first}",
                "one rank for a system in an item",
                "Remove one of the lines, or give a repeated task an item of its own.",
            )


def _rank(cell: Cell, shown: str, findings: Findings) -> int | None:
    if is_whole_number(cell.rank) and int(cell.rank) > 0:
        return int(cell.rank)
    findings.add(
        shown,
        cell.line,
        f"the rank {quote(cell.rank)}",
        "a whole number of 1 or more; 1 is the best",
        "Write ranks as 1, 2, 3 ...; tied systems share a rank.",
    )
    return None
