"""Human rankings as CSV with the header `judge,item,sentence_id,system,rank`.

An item is one ranking task of one judge: several outputs for one sentence. Rank 1 is the best, and
tied systems share a rank. Systems that the judge saw as one output stand in one row, separated by
spaces.
"""

import csv
import io
from collections.abc import Iterable, Sequence

from maege.ingest.findings import Findings
from maege.ingest.formats.csv_rows import csv_rows
from maege.ingest.formats.human_rankings.rankings import (
    Cell,
    Item,
    Rankings,
    Scope,
    rankings_of_items,
)

HEADER = ("judge", "item", "sentence_id", "system", "rank")


def parse_judgments(lines: Sequence[str], scope: Scope, shown: str, findings: Findings) -> Rankings:
    """Return the judgments; each fault becomes a finding and its line is left out."""
    items: dict[tuple[str, str], Item] = {}
    for line, values in csv_rows(lines, HEADER, shown, findings, only=True):
        judge, name, sentence_text, systems, rank = values
        named = True
        for column, value in (("judge", judge), ("item", name), ("system", systems)):
            if not value.strip():
                named = False
                findings.add(
                    shown, line, f"an empty {column}", f"a {column}", f"Name the {column}."
                )
        sentence_id = scope.sentence_id(sentence_text, HEADER[2], shown, line, findings)
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
    """Return the file of rows of judge, item, sentence, systems and rank."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(rows)
    return text.getvalue()
