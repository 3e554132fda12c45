"""Read the sections that `page/sections.yml` declares from the marts."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import yaml

from maege.report.exhibits import (
    Choice,
    Column,
    Exhibit,
    Row,
    Section,
    Words,
)
from maege.report.marts import Marts, sql
from maege.report.sections import across, people, rows, verdict
from maege.report.specs import chart_of
from maege.report.templates import page_file, sentence

Declaration = dict[str, Any]
# Functions that change or select the rows of an exhibit.
ROWS: dict[str, Callable[[Marts, list[Row]], list[Row]]] = {
    "trust": verdict.rows,
    "corpus-level": rows.corpus_level,
    "error-types": rows.error_types,
    "error-types-of-a-metric": rows.error_types_of_a_metric,
    "number-of-edits": rows.number_of_edits,
    "systems": rows.systems,
    "adversarial": rows.adversarial,
    "windows": rows.with_first_references,
    "clusters": rows.with_first_references,
    "people-list": people.rows,
    "coverage": rows.coverage,
    "replication": rows.replication,
    "worst-pairs": rows.worst_pairs,
    "corpora": rows.corpora,
    "missing": rows.missing,
    "across-metrics": across.metrics,
    "across-strata": across.strata,
    "across-shares": across.shares,
}
# Functions that return the values of a section's templates, and its parts other than exhibits.
VALUES: dict[str, Callable[[Marts], Declaration]] = {
    "verdict": verdict.values,
    "human-rankings": rows.first_references,
    "people": people.values,
    "replication": rows.replication_values,
    "sources": rows.sources,
    "across": across.values,
}


@cache
def declarations() -> dict[str, list[Declaration]]:
    """Return the sections of each kind of page."""
    declared: dict[str, list[Declaration]] = yaml.safe_load(page_file("sections.yml"))
    return declared


def read_section(marts: Marts, declared: Declaration) -> Section | None:
    """Return the section; None if it has no rows and need not be listed as missing."""
    name = declared["name"]
    values = VALUES[name](marts) if name in VALUES else {}
    section = Section(name, declared["short"], sentence(declared["title"], **values))
    exhibits = tuple(
        _exhibit(marts, exhibit, exhibit_rows, values)
        for exhibit in declared["exhibits"]
        if (exhibit_rows := _rows(marts, exhibit))
    )
    answers = tuple(values.get("answers", ()))
    if not exhibits and not answers:
        return replace(section, missing=declared["missing"]) if "missing" in declared else None
    words = tuple(
        Words(lines, group.get("corpus", ""), group.get("variant", ""))
        for group in values.get("groups", [values])
        if (lines := _lines(declared.get("words", ()), group))
    )
    html = values.get("html", "")
    return replace(section, words=words, exhibits=exhibits, answers=answers, html=html)


def _rows(marts: Marts, exhibit: Declaration) -> list[Row]:
    exhibit_rows = marts.ask(exhibit["query"])
    if exhibit_rows and (change := ROWS.get(exhibit["name"])):
        exhibit_rows = change(marts, exhibit_rows)
    for order, row in enumerate(exhibit_rows):
        # Charts sort by it.
        row.setdefault("order", order)
    return exhibit_rows


def _exhibit(
    marts: Marts, declared: Declaration, exhibit_rows: list[Row], values: Declaration
) -> Exhibit:
    name, query = declared["name"], declared["query"]
    fields = {
        field: declared[field]
        for field in ("labels", "panel", "across", "column_width", "is_open")
        if field in declared
    }
    columns = tuple(Column(*column) for column in declared["columns"])
    if declared.get("only_measured"):
        measured = {name for row in exhibit_rows for name in row if row[name] is not None}
        columns = tuple(each for each in columns if not each.low or each.field in measured)
    context = values | {"rows": exhibit_rows, "columns": columns}
    queries = [query, declared["second_query"]] if "second_query" in declared else [query]
    return Exhibit(
        name,
        declared["title"],
        sentence(declared["description"], **context),
        ";\n\n".join(map(sql, queries)),
        columns,
        exhibit_rows,
        chart_of(name),
        tuple(
            _choice(marts, exhibit_rows, field, *(sentence(text, **values) for text in texts))
            for field, texts in declared.get("choices", {}).items()
        ),
        sentence(declared.get("note", ""), **context),
        **fields,
    )


def _choice(
    marts: Marts, exhibit_rows: list[Row], field: str, label: str, default: str = ""
) -> Choice:
    names = list(dict.fromkeys(row[field] for row in exhibit_rows))
    if field == "metric":
        names.sort()
        default = marts.metric(names, default)
    return Choice(field, label, tuple(names), default)


def _lines(words: list[str | Declaration], values: Declaration) -> tuple[str, ...]:
    lines: list[str] = []
    for text in words:
        if isinstance(text, str):
            lines.append(sentence(text, **values))
        else:
            lines += [sentence(text["text"], **item) for item in values[text["each"]]]
    return tuple(filter(None, lines))
