"""Readers of human rankings: Appraise's XML, pairwise CSV, tables of cells, judgments."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple
from xml.sax.xmlreader import AttributesImpl

from maege.ingest.findings import Findings, quote
from maege.ingest.formats.common import LineReader, chosen_rows, csv_rows, is_read, refuse_columns
from maege.ingest.formats.rankings import (
    UNRANKED,
    Cell,
    Item,
    Rankings,
    Scope,
    rankings_of_items,
)
from maege.ingest.reading import is_whole_number

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

DOCUMENT = "a document"
RESULTS = ("ranking-result", "error-correction-ranking-result")
CHILDREN: dict[str, tuple[str, ...]] = {
    DOCUMENT: ("appraise-results", *RESULTS),
    "appraise-results": RESULTS,
    **dict.fromkeys(RESULTS, ("ranking-item",)),
    "ranking-item": ("translation",),
    "translation": (),
}
REQUIRED = {"ranking-item": ("id", "user"), "translation": ("rank", "system")}


def parse_appraise_xml(
    lines: Sequence[str], scope: Scope, shown: str, findings: Findings
) -> Rankings:
    """Return the judgments. Items and systems with faults are skipped, with a finding each.

    A document type definition is rejected, and so are entities of any kind.
    """
    reader = _Reader(scope, shown, findings)
    if not is_read(reader, lines, shown, findings, CHILDREN[DOCUMENT], "Appraise's XML"):
        return Rankings()
    rankings = rankings_of_items(reader.items, scope, shown, findings)
    rankings.other_documents = reader.other_documents
    rankings.items += reader.other_documents.total()
    return rankings


class _Reader(LineReader):
    """Collects the items of a document with the expected structure."""

    def __init__(self, scope: Scope, shown: str, findings: Findings) -> None:
        super().__init__()
        self.items: list[Item] = []
        self.other_documents: Counter[str] = Counter()
        self._scope = scope
        self._shown = shown
        self._findings = findings
        self._open = [DOCUMENT]
        self._skipped_depth = 0

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - SAX's name
        """Begin an element, or skip an unexpected one."""
        allowed = CHILDREN[self._open[-1]]
        if self._skipped_depth or name not in allowed:
            if not self._skipped_depth:
                self._add(
                    f"the element {quote(name)} in {self._open[-1]}",
                    " or ".join(f"<{child}>" for child in allowed) or "no element",
                    "Remove it; docs/corpora.md shows Appraise's XML.",
                )
            self._skipped_depth += 1
            return
        self._open.append(name)
        values = {key: value.strip() for key, value in attrs.items()}
        if name == "ranking-item" and self._is_of_other_document(values):
            self.other_documents[values.get("doc-id", "")] += 1
            self._open.pop()
            self._skipped_depth = 1
            return
        complete = self._check_attributes(name, values)
        if name == "ranking-item":
            self._begin_item(values)
        elif name == "translation" and complete:
            systems = tuple(values["system"].replace(",", " ").split())
            self.items[-1].cells.append(Cell(self.line, systems, values["rank"]))

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802 - SAX's name
        """End an element; an item is stored when it ends."""
        if self._skipped_depth:
            self._skipped_depth -= 1
        else:
            self._open.pop()

    def characters(self, content: str) -> None:
        """Reject text, because all values are in attributes."""
        if content.strip() and not self._skipped_depth:
            self._add(
                f"the text {quote(content.strip())} in {self._open[-1]}",
                "no text",
                "Remove it, or write it as an attribute.",
            )

    def _is_of_other_document(self, values: dict[str, str]) -> bool:
        documents = self._scope.documents
        return bool(documents) and values.get("doc-id", "") not in documents

    def _begin_item(self, values: dict[str, str]) -> None:
        sentence = "src-id" if "src-id" in values else "id"
        self.items.append(
            Item(
                self.line,
                values.get("user", ""),
                values.get("id", ""),
                self._scope.sentence_id(
                    values.get(sentence, ""), sentence, self._shown, self.line, self._findings
                ),
                is_numbered=sentence != "id",
            )
        )

    def _check_attributes(self, element: str, values: dict[str, str]) -> bool:
        missing = [key for key in REQUIRED.get(element, ()) if not values.get(key)]
        for key in missing:
            found = "an empty" if key in values else "no"
            self._add(
                f"{found} attribute {key} of <{element}>",
                f"<{element} {' '.join(f'{key}=...' for key in REQUIRED[element])}>",
                f"Add {key}; docs/corpora.md shows Appraise's XML.",
            )
        return not missing

    def _add(self, found: str, expected: str, remedy: str) -> None:
        self._findings.add(self._shown, self.line, found, expected, remedy)


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
    return [Cell(line, tuple(name.replace(",", " ").split()), rank) for name, rank in ranked]


def _cells_of_pairs(rows: Sequence[_Row], start: int) -> list[Cell]:
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
    # A system paired with itself is an item with one output that is ranked twice.
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


# --- A table with one row per output; equal outputs share a cell ---
#
#     part        judge   sentence_id     cell    systems rank
#
# Systems of a cell, separated by blanks, had the same output. Adjacent rows with the same part,
# judge and sentence and ascending cells are an item. If the file has several parts, the manifest's
# key `documents` selects parts; by default all are read.

CELLS_HEADER = ("part", "judge", "sentence_id", "cell", "systems", "rank")


def is_cells_header(line: str) -> bool:
    """Return whether the line is the header of such a file."""
    return tuple(line.split("\t")) == CELLS_HEADER


def parse_cells(lines: Sequence[str], scope: Scope, shown: str, findings: Findings) -> Rankings:
    """Return the judgments. Lines with faults are skipped, with a finding each."""
    items: list[Item] = []
    other: Counter[str] = Counter()
    before: tuple[str, str, str] | None = None
    last = 0
    for line, values in csv_rows(lines, CELLS_HEADER, shown, findings, only=True, separator="\t"):
        part, judge, sentence, number, systems, rank = (value.strip() for value in values)
        if not (judge and systems and is_whole_number(number)):
            findings.add(
                shown,
                line,
                f"the row {quote(' '.join(values))}",
                "a judge, the number of a cell and its systems",
                "Fill in what is missing.",
            )
            continue
        is_new = (part, judge, sentence) != before or int(number) <= last
        before, last = (part, judge, sentence), int(number)
        if scope.documents and part not in scope.documents:
            other[part] += is_new
            continue
        if is_new:
            sentence_id = scope.sentence_id(sentence, CELLS_HEADER[2], shown, line, findings)
            items.append(Item(line, judge, sentence, sentence_id, is_numbered=False))
        items[-1].cells.append(Cell(line, tuple(systems.split()), rank))
    rankings = rankings_of_items(items, scope, shown, findings)
    rankings.other_documents = other
    rankings.items += other.total()
    return rankings


# --- CSV with the header `judge,item,sentence_id,system,rank` ---
#
# An item is one ranking task of one judge: several outputs for one sentence. Rank 1 is the best,
# and tied systems share a rank. Systems that the judge saw as one output are in one row,
# separated by spaces.

JUDGMENTS_HEADER = ("judge", "item", "sentence_id", "system", "rank")


def parse_judgments(lines: Sequence[str], scope: Scope, shown: str, findings: Findings) -> Rankings:
    """Return the judgments. Lines with faults are skipped, with a finding each."""
    items: dict[tuple[str, str], Item] = {}
    for line, values in csv_rows(lines, JUDGMENTS_HEADER, shown, findings, only=True):
        judge, name, sentence_text, systems, rank = values
        named = True
        for column, value in (("judge", judge), ("item", name), ("system", systems)):
            if not value.strip():
                named = False
                findings.add(
                    shown, line, f"an empty {column}", f"a {column}", f"Name the {column}."
                )
        sentence_id = scope.sentence_id(sentence_text, JUDGMENTS_HEADER[2], shown, line, findings)
        if not named:
            continue
        item = items.setdefault((judge, name), Item(line, judge, name, sentence_id))
        if sentence_id is not None and item.sentence_id not in (None, sentence_id):
            findings.add(
                shown,
                line,
                f"sentence {sentence_text} in item {name} of {judge}, which began on line "
                f"{item.line} with {int(item.sentence_id or 0) + scope.first_sentence_id}",
                "one sentence for an item",
                "Give each ranking task an item of its own.",
            )
        item.cells.append(Cell(line, tuple(systems.split()), rank))
    return rankings_of_items(items.values(), scope, shown, findings, strict=True)


def judgments_csv(rows: Iterable[tuple[str, str, int, str, int]]) -> str:
    """Return the text of a file with rows of judge, item, sentence, systems and rank."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(JUDGMENTS_HEADER)
    writer.writerows(rows)
    return text.getvalue()
