"""Human rankings as a table with a row an output: what was shown as one is one cell.

    part	judge	sentence_id	cell	systems	rank

Systems of a cell, separated by blanks, had the same output. Rows of one part, judge and sentence
that follow each other, their cells counting up, are an item. Of several parts a manifest reads
those under documents, else all.
"""

from collections import Counter
from collections.abc import Sequence

from maege.ingest.findings import Findings, quote
from maege.ingest.formats.csv_rows import csv_rows
from maege.ingest.formats.human_rankings.rankings import (
    Cell,
    Item,
    Rankings,
    Scope,
    rankings_of_items,
)
from maege.ingest.reading import is_whole_number

HEADER = ("part", "judge", "sentence_id", "cell", "systems", "rank")


def is_cells_header(line: str) -> bool:
    """Whether the line is the header of such a file."""
    return tuple(line.split("\t")) == HEADER


def parse_cells(lines: Sequence[str], scope: Scope, shown: str, findings: Findings) -> Rankings:
    """Return the judgments; each fault becomes a finding and its line is left out."""
    items: list[Item] = []
    other: Counter[str] = Counter()
    before: tuple[str, str, str] | None = None
    last = 0
    for line, values in csv_rows(lines, HEADER, shown, findings, only=True, separator="\t"):
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
            sentence_id = scope.sentence_id(sentence, HEADER[2], shown, line, findings)
            items.append(Item(line, judge, sentence, sentence_id, is_numbered=False))
        items[-1].cells.append(Cell(line, tuple(systems.split()), rank))
    rankings = rankings_of_items(items, scope, shown, findings)
    rankings.other_documents = other
    rankings.items += other.total()
    return rankings
