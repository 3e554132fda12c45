"""Read human rankings: Appraise's XML, pairwise CSV, tables of cells, judgments.

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
from typing import Literal, NamedTuple

from maege.ingest.findings import Add, Findings, listing, quote
from maege.ingest.formats.common import DOCUMENT, Element, XmlForm, csv_rows, xml_units
from maege.ingest.reading import is_whole_number

# --- Items and their judgments, in every format ---

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

    def sentence_id(self, text: str, column: str, line: int, add: Add) -> int | None:
        """Return the sentence's position; None and a finding if there is no such sentence."""
        first = self.first_sentence_id
        last = self.sentences - 1 + first
        if is_whole_number(text) and int(text) >= first:
            row = int(text) - first
            sentence_id = row if self.rows is None else self.rows.get(row, self.sentences)
            if sentence_id < self.sentences:
                return sentence_id
        add(
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
    items: Iterable[Item], scope: Scope, add: Add, other_documents: Counter[str] | None = None
) -> Rankings:
    """Return the judgments of the items, with shared cells expanded to systems.

    Faulty items are skipped, with a finding each. If an item has a system twice, it is a conflict:
    a repeated equal rank counts once, and two different ranks count as none.
    """
    rankings = Rankings(other_documents=other_documents or Counter())
    rankings.items = rankings.other_documents.total()
    times: Counter[tuple[str, str]] = Counter()
    for position, item in enumerate(items):
        rankings.items += 1
        times[item.judge, item.name] += 1
        time = times[item.judge, item.name]
        name = item.name if time == 1 else f"{item.name}#{time}"
        conflicts: list[tuple[int, ConflictKind, str]] = []
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
                    kind: ConflictKind = "repetition" if is_same else "contradiction"
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
            add(
                cell.line,
                f"the rank {quote(cell.rank)}",
                "a whole number of 1 or more; 1 is the best",
                "Write ranks as 1, 2, 3 ...; tied systems share a rank.",
            )
        for name in cell.systems:
            system = scope.names.get(name, name)
            if system not in scope.systems and system not in scope.without_outputs:
                add(
                    cell.line,
                    f"the system {quote(system)}",
                    f"a system of the corpus: {listing(sorted(scope.systems)) or 'it has none'}",
                    "Correct the name, map it to the system's under names, add the system's "
                    "output to the manifest, or list it under without_outputs.",
                )
            elif is_rank:
                ranks.setdefault(system, []).append((cell.line, int(cell.rank), number))
    return ranks


def _systems(names: str) -> tuple[str, ...]:
    return tuple(names.replace(",", " ").split())


# --- XML of the annotation tool Appraise (Federmann 2012) ---
#
#     <appraise-results>
#       <ranking-result id="..." source-language="..." target-language="...">
#         <ranking-item src-id="135" id="0" doc-id="..." user="annotator01" duration="00:01:07">
#           <translation rank="3" system="CAMB"/>
#           <translation rank="1" system="IITB INPUT IPN"/>
#         </ranking-item>
#       </ranking-result>
#     </appraise-results>
#
# `ranking-result` may be `error-correction-ranking-result`, and may be the root itself
# (RevisitCGEC). Several systems in one `translation`, separated by spaces (GJG15, SEEDA) or commas
# (NSPT15), had the same output. `src-id` is the sentence, and `id` numbers the items of a judge.
# Without `src-id`, `id` is the sentence, and a judge may have several items with it. `doc-id` is
# the document of the sentence.

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


def parse_appraise_xml(
    lines: Sequence[str], scope: Scope, shown: str, findings: Findings
) -> Rankings:
    """Return the judgments. Items and systems with faults are skipped, with a finding each.

    A document type definition is rejected, and so are entities of any kind.
    """
    add = findings.about(shown)
    other_documents: Counter[str] = Counter()

    def is_of_other_document(item: Element) -> bool:
        document = item.get("doc-id")
        if not scope.documents or document in scope.documents:
            return False
        other_documents[document] += 1
        return True

    items = xml_units(lines, APPRAISE, add, is_of_other_document) or []
    return rankings_of_items(
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
#     srcIndex,judgeID,system1Id,system2Id,system1rank,system2rank
#
# There are at least two systems: `system3Id`, `system3rank` and so on. Other columns are ignored,
# and names of columns may differ in case (`judgeId`). A file of pairs (NSPT15, JFLEG) does not
# number its items: all pairs of an item are adjacent. A row with more systems (WMT) is an item. The
# rank -1 means that the judge gave the system no rank. A column without a system name is empty.

SENTENCE = "srcIndex"
JUDGE = "judgeID"
PLACE = re.compile(r"system([0-9]{1,3})id", re.IGNORECASE)
NO_SYSTEM = ("", UNRANKED)


class _Row(NamedTuple):
    """A judge's ranking of one sentence: the names and ranks of the systems in their order."""

    line: int
    sentence: str
    judge: str
    cells: list[tuple[str, str]]


def is_pairwise_header(line: str) -> bool:
    """Return whether the line is the header of such a file."""
    return any(PLACE.fullmatch(name.strip()) for name in line.split(","))


def parse_pairwise(lines: Sequence[str], scope: Scope, shown: str, findings: Findings) -> Rankings:
    """Return the judgments. Lines with faults are skipped, with a finding each.

    Consecutive pairs are one item if they are all pairs of some systems, with one rank per system.
    """

    def columns(header: list[str]) -> list[str]:
        numbers = {int(match[1]) for name in header if (match := PLACE.fullmatch(name))} | {1, 2}
        pairs = [(f"system{number}Id", f"system{number}rank") for number in sorted(numbers)]
        return [SENTENCE, JUDGE, *(name for pair in pairs for name in pair)]

    add = findings.about(shown)
    rows: list[_Row] = []
    for line, (sentence, judge, *values) in csv_rows(lines, columns, shown, findings):
        pairs = zip(values[::2], values[1::2], strict=True)
        cells = [(name, rank.strip()) for name, rank in pairs if name.strip() not in NO_SYSTEM]
        if judge.strip() and len(cells) > 1:
            rows.append(_Row(line, sentence, judge, cells))
        else:
            add(
                line,
                "a ranking without judge, or of fewer than two systems",
                f"a {JUDGE}, a system1Id and a system2Id",
                "Fill in what is missing.",
            )
    return rankings_of_items(_items(rows, scope, add), scope, add)


def _items(rows: Sequence[_Row], scope: Scope, add: Add) -> Iterator[Item]:
    start = 0
    while start < len(rows):
        first = rows[start]
        is_pair = len(first.cells) == 2
        cells = _cells_of_pairs(rows, start) if is_pair else _cells(first.line, first.cells)
        yield Item(
            first.line,
            first.judge,
            first.sentence,
            scope.sentence_id(first.sentence, SENTENCE, first.line, add),
            cells,
            is_numbered=False,
        )
        start += len(cells) * (len(cells) - 1) // 2 if is_pair else 1


def _cells(line: int, ranked: Sequence[tuple[str, str]]) -> list[Cell]:
    return [Cell(line, _systems(name), rank) for name, rank in ranked]


def _cells_of_pairs(rows: Sequence[_Row], start: int) -> list[Cell]:
    leader = rows[start]
    ranked = [(leader.line, *leader.cells[0])]
    for row in rows[start:]:
        (first, _), *other_cells = row.cells
        if (first, row.sentence, row.judge) != (
            leader.cells[0][0],
            leader.sentence,
            leader.judge,
        ) or len(other_cells) > 1:
            break
        name, rank = other_cells[0]
        if name in {system for _, system, _ in ranked}:
            break
        ranked.append((row.line, name, rank))
    while len(ranked) > 2 and not _are_all_pairs(rows, start, [cell[1:] for cell in ranked]):
        ranked.pop()
    # A system paired with itself is an item with one output that is ranked twice.
    if len(ranked) == 1:
        ranked.append((leader.line, *leader.cells[1]))
    return [cell for line, name, rank in ranked for cell in _cells(line, [(name, rank)])]


def _are_all_pairs(rows: Sequence[_Row], start: int, ranked: Sequence[tuple[str, str]]) -> bool:
    expected = {frozenset(pair) for pair in combinations(ranked, 2)}
    pair_rows = rows[start : start + len(expected)]
    pairs = {frozenset(row.cells) for row in pair_rows}
    return pairs == expected and {(row.sentence, row.judge) for row in pair_rows} == {
        (rows[start].sentence, rows[start].judge)
    }


# --- A table with one row per output; equal outputs share a cell ---
#
#     part        judge   sentence_id     cell    systems rank
#
# Systems of a cell, separated by blanks, had the same output. Adjacent rows with the same part,
# judge and sentence and ascending cells are an item. If the file has several parts, the manifest's
# key `documents` selects parts; by default all are read.

CELLS_HEADER = ("part", "judge", "sentence_id", "cell", "systems", "rank")


def parse_cells(lines: Sequence[str], scope: Scope, shown: str, findings: Findings) -> Rankings:
    """Return the judgments. Lines with faults are skipped, with a finding each."""
    items: list[Item] = []
    other_documents: Counter[str] = Counter()
    before: tuple[str, str, str] | None = None
    last = 0
    add = findings.about(shown)
    for line, values in csv_rows(lines, CELLS_HEADER, shown, findings, separator="\t"):
        part, judge, sentence, number, systems, rank = (value.strip() for value in values)
        if not (judge and systems and is_whole_number(number)):
            add(
                line,
                f"the row {quote(' '.join(values))}",
                "a judge, the number of a cell and its systems",
                "Fill in what is missing.",
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
    return rankings_of_items(items, scope, add, other_documents)


# --- CSV with the header `judge,item,sentence_id,system,rank` ---
#
# An item is one ranking task of one judge: several outputs for one sentence. Rank 1 is the best,
# and tied systems share a rank. Systems that the judge saw as one output are in one row,
# separated by spaces.

JUDGMENTS_HEADER = ("judge", "item", "sentence_id", "system", "rank")


def parse_judgments(lines: Sequence[str], scope: Scope, shown: str, findings: Findings) -> Rankings:
    """Return the judgments. Lines with faults are skipped, with a finding each."""
    items: dict[tuple[str, str], Item] = {}
    add = findings.about(shown)
    for line, values in csv_rows(lines, JUDGMENTS_HEADER, shown, findings):
        judge, name, sentence, systems, rank = values
        if not all(map(str.strip, (judge, name, systems))):
            found = f"the row {quote(' '.join(values))}"
            add(line, found, "a judge, an item and a system", "Fill in what is missing.")
            continue
        sentence_id = scope.sentence_id(sentence, JUDGMENTS_HEADER[2], line, add)
        item = items.setdefault((judge, name), Item(line, judge, name, sentence_id))
        if sentence_id is not None and item.sentence_id not in (None, sentence_id):
            add(
                line,
                f"sentence {sentence} in item {name} of {judge}, which began on line "
                f"{item.line} with {int(item.sentence_id or 0) + scope.first_sentence_id}",
                "one sentence for an item",
                "Give each ranking task an item of its own.",
            )
        item.cells.append(Cell(line, tuple(systems.split()), rank))
    return rankings_of_items(items.values(), scope, add)


def judgments_csv(rows: Iterable[tuple[str, str, int, str, int]]) -> str:
    """Return the text of a file with rows of judge, item, sentence, systems and rank."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(JUDGMENTS_HEADER)
    writer.writerows(rows)
    return text.getvalue()
