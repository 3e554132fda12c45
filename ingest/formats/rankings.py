"""Read human rankings: Appraise's XML, pairwise CSV, tables of cells, judgments (docs/corpora.md).

An item is one ranking task of one judge: outputs of one sentence. Systems with the same output may
share one cell, which has one rank.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from maege.ingest.findings import Add, listing, quote
from maege.ingest.formats.common import DOCUMENT, Element, XmlForm, csv_rows, xml_units
from maege.ingest.reading import is_whole_number

# --- Items and their judgments, in every format ---

# The kind of finding for a file without any ranking.
NO_RANKINGS = "no_rankings"
# The rank of a system that a judge saw but did not rank.
UNRANKED = "-1"


class Judgment(NamedTuple):
    """The rank of a system in an item, from 1, the best; cells and items count from 0."""

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
    kind: str
    detail: str


@dataclass
class Rankings:
    judgments: list[Judgment] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    items: int = 0
    other_documents: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Cell:
    line: int
    systems: tuple[str, ...]
    rank: str


@dataclass
class Item:
    """One ranking task in the file; `sentence_id` is None if the sentence caused a finding.

    If `is_numbered`, a second item of the judge with this name is the same item.
    """

    line: int
    judge: str
    name: str
    sentence_id: int | None
    cells: list[Cell] = field(default_factory=list)
    is_numbered: bool = True


@dataclass(frozen=True)
class Scope:
    """What rankings may refer to: the corpus, and the manifest's settings for the file."""

    systems: Collection[str]
    sentences: int
    first_sentence_id: int = 0
    names: Mapping[str, str] = field(default_factory=dict)
    without_outputs: Collection[str] = ()
    without_judges: Collection[str] = ()
    documents: Collection[str] = ()
    # Sentences by row, if the corpus is a selection of the rows that the file counts.
    rows: Mapping[int, int] | None = None

    def sentence_id(self, text: str, column: str, line: int, add: Add) -> int | None:
        """Return the sentence's position; None and a finding if there is no such sentence."""
        row = int(text) - self.first_sentence_id if is_whole_number(text) else -1
        sentence_id = row if self.rows is None else self.rows.get(row, -1)
        if 0 <= sentence_id < self.sentences:
            return sentence_id
        self.fault(line, f"the {column} {quote(text)}", add)
        return None

    def fault(self, line: int, found: str, add: Add) -> None:
        first = self.first_sentence_id
        among = "" if self.rows is None else " that the manifest chooses with ids"
        add(
            line,
            found,
            "a judge; one sentence for each item, a number from "
            f"{first} to {first + self.sentences - 1}{among}; ranks of 1 or more, 1 is the best; "
            f"and systems of the corpus: {listing(sorted(self.systems)) or 'it has none'}",
            "Correct the line. Or add the system's output to the manifest, or say with names, "
            "without_outputs and first_sentence_id there how the file names systems and counts "
            "sentences.",
        )


def _rankings_of_items(
    items: Iterable[Item], scope: Scope, add: Add, other_documents: Counter[str] | None = None
) -> Rankings:
    """Return the judgments of the items, with shared cells expanded to systems.

    If an item has a system twice, it is a conflict: a repeated equal rank counts once, and two
    different ranks count as none.
    """
    rankings = Rankings(other_documents=other_documents or Counter())
    rankings.items = rankings.other_documents.total()
    times: Counter[tuple[str, str]] = Counter()
    for position, item in enumerate(items):
        rankings.items += 1
        times[item.judge, item.name] += 1
        time = times[item.judge, item.name]
        name = item.name if time == 1 else f"{item.name}#{time}"
        conflicts: list[tuple[int, str, str]] = []
        if item.judge in scope.without_judges:
            detail = f"the manifest leaves out {item.judge}"
            conflicts.append((item.line, "judge_left_out", detail))
        elif all(cell.rank == UNRANKED for cell in item.cells):
            conflicts.append((item.line, "skipped", "no system is ranked"))
        elif item.is_numbered and time > 1:
            detail = f"item {item.name} of {item.judge} for time {time}; the first counts"
            conflicts.append((item.line, "item_twice", detail))
        else:
            conflicts += [
                (cell.line, "unranked", f"{' '.join(cell.systems)} has no rank; the others count")
                for cell in item.cells
                if cell.rank == UNRANKED
            ]
            for system, ranks in _ranks(item, scope, add).items():
                line, rank, cell_number = ranks[0]
                is_same = len({rank for _, rank, _ in ranks}) == 1
                if is_same and item.sentence_id is not None:
                    item_columns = (line, item.judge, name, item.sentence_id)
                    rankings.judgments.append(
                        Judgment(*item_columns, system, rank, cell_number, position)
                    )
                if len(ranks) > 1:
                    ranks_text = " and ".join(f"{rank} on line {line}" for line, rank, _ in ranks)
                    counts = "the first counts" if is_same else "none counts"
                    detail = f"{system} has the rank {ranks_text}; {counts}"
                    kind = "repetition" if is_same else "contradiction"
                    conflicts.append((ranks[1][0], kind, detail))
        if item.sentence_id is not None:
            rankings.conflicts += [
                Conflict(line, item.judge, name, item.sentence_id, kind, detail)
                for line, kind, detail in conflicts
            ]
    return rankings


def _ranks(item: Item, scope: Scope, add: Add) -> dict[str, list[tuple[int, int, int]]]:
    """Return the line, rank and cell of each rank of a system."""
    ranks: dict[str, list[tuple[int, int, int]]] = {}
    for number, cell in enumerate(item.cells):
        is_rank = is_whole_number(cell.rank) and int(cell.rank) > 0
        if not is_rank and cell.rank != UNRANKED:
            scope.fault(cell.line, f"the rank {quote(cell.rank)}", add)
        for name in cell.systems:
            system = scope.names.get(name, name)
            if system not in scope.systems and system not in scope.without_outputs:
                scope.fault(cell.line, f"the system {quote(system)}", add)
            elif is_rank:
                ranks.setdefault(system, []).append((cell.line, int(cell.rank), number))
    return ranks


def _systems(names: str) -> tuple[str, ...]:
    return tuple(names.replace(",", " ").split())


# --- XML of the annotation tool Appraise (Federmann 2012) ---
#
# `ranking-result` may be the root itself (RevisitCGEC). Systems with the same output are separated
# by spaces (GJG15, SEEDA) or commas (NSPT15). Without `src-id`, `id` is the sentence, and a judge
# may have several items with it.

RESULTS = ("ranking-result", "error-correction-ranking-result")
APPRAISE = XmlForm(
    "Appraise's XML",
    {
        DOCUMENT: ("appraise-results", *RESULTS),
        "appraise-results": RESULTS,
        **dict.fromkeys(RESULTS, ("ranking-item",)),
        "ranking-item": ("translation",),
        "translation": (),
    },
    {"ranking-item": ("id", "user"), "translation": ("rank", "system")},
    unit="ranking-item",
)


def parse_appraise_xml(lines: Sequence[str], scope: Scope, add: Add) -> Rankings:
    other_documents: Counter[str] = Counter()

    def is_of_other_document(item: Element) -> bool:
        document = item.get("doc-id")
        if not scope.documents or document in scope.documents:
            return False
        other_documents[document] += 1
        return True

    items = xml_units(lines, APPRAISE, add, is_of_other_document) or []
    return _rankings_of_items(
        (_appraise_item(item, scope, add) for item in items), scope, add, other_documents
    )


def _appraise_item(element: Element, scope: Scope, add: Add) -> Item:
    key = "src-id" if "src-id" in element.attributes else "id"
    sentence_id = scope.sentence_id(element.get(key), key, element.line, add)
    cells = [
        Cell(child.line, _systems(child.attributes["system"]), child.get("rank"))
        for child in element.children
        if child.get("rank") and child.get("system")
    ]
    judge, name = element.get("user"), element.get("id")
    return Item(element.line, judge, name, sentence_id, cells, is_numbered=key != "id")


# --- CSV with the systems of an item in a row, as WMT's scripts read it ---
#
# A file of pairs (NSPT15, JFLEG) does not number its items: all pairs of an item are adjacent. A
# row with more systems (WMT) is an item. A column without a system name is empty.

SENTENCE = "srcIndex"
JUDGE = "judgeID"
PLACE = re.compile(r"system([0-9]{1,3})id", re.IGNORECASE)
NO_SYSTEM = ("", UNRANKED)


class _Row(NamedTuple):
    line: int
    sentence: str
    judge: str
    cells: list[tuple[str, str]]


def is_pairwise_header(line: str) -> bool:
    return any(PLACE.fullmatch(name.strip()) for name in line.split(","))


def parse_pairwise(lines: Sequence[str], scope: Scope, add: Add) -> Rankings:
    header = "".join(lines[:1]).split(",")
    matches = [match for name in header if (match := PLACE.fullmatch(name.strip(' "')))]
    columns = [SENTENCE, JUDGE]
    for number in sorted({int(match[1]) for match in matches} | {1, 2}):
        columns += [f"system{number}Id", f"system{number}rank"]
    rows: list[_Row] = []
    for line, (sentence, judge, *values) in csv_rows(lines, columns, add):
        pairs = zip(values[::2], values[1::2], strict=True)
        cells = [(name, rank.strip()) for name, rank in pairs if name.strip() not in NO_SYSTEM]
        if judge.strip() and len(cells) > 1:
            rows.append(_Row(line, sentence, judge, cells))
        else:
            scope.fault(line, "a ranking without judge, or of fewer than two systems", add)
    return _rankings_of_items(_items(rows, scope, add), scope, add)


def _items(rows: Sequence[_Row], scope: Scope, add: Add) -> Iterator[Item]:
    start = 0
    while start < len(rows):
        line, sentence, judge, ranked = rows[start]
        n_rows = 1
        cells = [Cell(line, _systems(name), rank) for name, rank in ranked]
        if len(ranked) == 2:
            cells = _cells_of_pairs(rows, start)
            n_rows = len(cells) * (len(cells) - 1) // 2
        sentence_id = scope.sentence_id(sentence, SENTENCE, line, add)
        yield Item(line, judge, sentence, sentence_id, cells, is_numbered=False)
        start += n_rows


def _cells_of_pairs(rows: Sequence[_Row], start: int) -> list[Cell]:
    line, sentence, judge, (first, second) = rows[start]
    ranked = [(line, *first)]
    for row in rows[start:]:
        is_same = (row.sentence, row.judge, row.cells[0][0]) == (sentence, judge, first[0])
        name, rank = row.cells[1]
        if not is_same or len(row.cells) > 2 or name in {system for _, system, _ in ranked}:
            break
        ranked.append((row.line, name, rank))
    while len(ranked) > 2 and not _are_all_pairs(rows, start, [cell[1:] for cell in ranked]):
        ranked.pop()
    # A system paired with itself is an item with one output that is ranked twice.
    if len(ranked) == 1:
        ranked.append((line, *second))
    return [Cell(line, _systems(name), rank) for line, name, rank in ranked]


def _are_all_pairs(rows: Sequence[_Row], start: int, ranked: Sequence[tuple[str, str]]) -> bool:
    expected = {frozenset(pair) for pair in combinations(ranked, 2)}
    pair_rows = rows[start : start + len(expected)]
    pairs = {frozenset(row.cells) for row in pair_rows}
    return pairs == expected and {(row.sentence, row.judge) for row in pair_rows} == {
        (rows[start].sentence, rows[start].judge)
    }


# --- A table with one row per output; adjacent rows with ascending cells are an item ---

CELLS_HEADER = ("part", "judge", "sentence_id", "cell", "systems", "rank")


def parse_cells(lines: Sequence[str], scope: Scope, add: Add) -> Rankings:
    items: list[Item] = []
    other_documents: Counter[str] = Counter()
    before: tuple[str, str, str] | None = None
    last = 0
    for line, values in csv_rows(lines, CELLS_HEADER, add, separator="\t"):
        part, judge, sentence, number, systems, rank = (value.strip() for value in values)
        if not (judge and systems and is_whole_number(number)):
            scope.fault(
                line, f"a row without judge, cell or systems: {quote(' '.join(values))}", add
            )
            continue
        is_new = (part, judge, sentence) != before or int(number) <= last
        before, last = (part, judge, sentence), int(number)
        if scope.documents and part not in scope.documents:
            other_documents[part] += is_new
            continue
        if is_new:
            sentence_id = scope.sentence_id(sentence, CELLS_HEADER[2], line, add)
            items.append(Item(line, judge, sentence, sentence_id, is_numbered=False))
        items[-1].cells.append(Cell(line, tuple(systems.split()), rank))
    return _rankings_of_items(items, scope, add, other_documents)


# --- CSV with the header `judge,item,sentence_id,system,rank` ---

JUDGMENTS_HEADER = ("judge", "item", "sentence_id", "system", "rank")


def parse_judgments(lines: Sequence[str], scope: Scope, add: Add) -> Rankings:
    items: dict[tuple[str, str], Item] = {}
    for line, values in csv_rows(lines, JUDGMENTS_HEADER, add):
        judge, name, sentence, systems, rank = values
        if not all(map(str.strip, (judge, name, systems))):
            scope.fault(
                line, f"a row without judge, item or systems: {quote(' '.join(values))}", add
            )
            continue
        sentence_id = scope.sentence_id(sentence, JUDGMENTS_HEADER[2], line, add)
        item = items.setdefault((judge, name), Item(line, judge, name, sentence_id))
        if sentence_id is not None and item.sentence_id not in (None, sentence_id):
            found = (
                f"sentence {sentence} in item {name} of {judge}, which began on line {item.line}"
            )
            scope.fault(line, f"{found} with another sentence", add)
        item.cells.append(Cell(line, tuple(systems.split()), rank))
    return _rankings_of_items(items.values(), scope, add)


def judgments_csv(rows: Iterable[tuple[str, str, int, str, int]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(JUDGMENTS_HEADER)
    writer.writerows(rows)
    return text.getvalue()
