"""Build the report: a page with sections from the marts, or one of its pictures or tables."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import duckdb
from markupsafe import Markup

from maege.cards.facts import card_of
from maege.cards.page import page
from maege.cards.parts import Lines, Part
from maege.comparison.pages.page import part
from maege.ingest.warehouse import Warehouse, WarehouseError
from maege.names import UnknownError, in_a_sentence, unknown
from maege.report.declared import declarations, read_section
from maege.report.exhibits import Exhibit, Row, Section, is_shown
from maege.report.marts import Marts, Scope, corpora
from maege.report.older import PLACE
from maege.report.specs import (
    combinable_svg,
    compact,
    fields_of,
    label_width,
    margin_of,
    padded,
    picture,
    spec_of,
)
from maege.report.templates import html, page_file
from maege.report.vega import draw, script
from maege.shipped.read import open_marts_or_results
from maege.tables import latex_text, tabular

Progress = Callable[[str], None]
# For corpora without judgments, these sections come first, and papers are not about them.
SYSTEMS_FIRST = ("systems", "annotators")
PAPERS = "replication"
GROUPS = ("texts", "edits", "no references")


@dataclass(frozen=True)
class Report:
    """The content of a page: its scope, and its sections in reading order."""

    scope: Scope
    corpora: list[Row]
    sections: list[Section]
    title: str = "Metrics of grammatical error correction: can they be trusted?"
    with_variants: bool = False
    notice: str | None = None

    @property
    def exhibits(self) -> dict[str, Exhibit]:
        """All pictures and tables by name."""
        return {exhibit.name: exhibit for section in self.sections for exhibit in section.exhibits}

    @property
    def defaults(self) -> Row:
        """The initial values of the filters at the top of the page."""
        variant = "all" if self.with_variants else "standard"
        return {"corpus": self.scope.first, "metric_group": "all", "variant": variant}


def read_report(
    warehouse: Warehouse,
    corpus: str | None,
    metrics: tuple[str, ...],
    progress: Progress,
    *,
    with_variants: bool = False,
) -> Report:
    """Return the report on one corpus or all corpora, and on some or all metrics.

    Corpora without judgments serve to compare systems, whose sections come first then.

    Raises:
        UnknownError: the marts do not have the corpus or metric.
        WarehouseError: nothing is published yet.

    """
    with open_marts_or_results(warehouse) as (connection, notice):
        published = corpora(connection)
        if not published:
            raise WarehouseError(f"{warehouse.marts}: holds no corpus. Run `maege ingest` first.")
        names = [row["corpus"] for row in published]
        if corpus is not None and corpus not in names:
            raise UnknownError(unknown("corpus", corpus, names))
        marts = Marts(connection, Scope((corpus,) if corpus else tuple(names), metrics))
        for metric in metrics:
            if metric not in marts.groups:
                raise UnknownError(unknown("metric", metric, sorted(marts.groups)))
        verdicts = Counter(
            row["corpus"] for row in marts.ask("best_metrics") if row["too_few"] is None
        )
        chosen = tuple(sorted(marts.scope.corpora, key=lambda corpus: -verdicts[corpus]))
        marts.scope = Scope(chosen, metrics)
        sections = [_card_section(marts, metric) for metric in metrics]
        sections += _sections(marts, "report", progress)
    report = Report(marts.scope, published, sections, with_variants=with_variants, notice=notice)
    if metrics:
        return replace(report, title=f"Results for {', '.join(metrics)}")
    about = [row for row in published if row["corpus"] in chosen]
    by_name = {section.name: section for section in sections}
    is_judged = any(row["judgments"] for row in about)
    # All corpora together are about metrics if these have a verdict.
    is_about_systems = corpus is not None or not by_name["verdict"].answers
    if by_name["systems"].exhibits and not is_judged and is_about_systems:
        sections.sort(key=lambda section: section.name not in SYSTEMS_FIRST)
        sections[:] = [
            replace(each, exhibits=(), missing="No paper is about this corpus.")
            if each.name == PAPERS
            else each
            for each in sections
        ]
        titles = in_a_sentence([row["title"] or row["corpus"] for row in about])
        return replace(report, title=f"{titles}: systems and metrics")
    return report


def read_across(warehouse: Warehouse, progress: Progress) -> dict[str, Report]:
    """Return the reports across corpora: one for each language, and under "" one for all."""
    with open_marts_or_results(warehouse) as (connection, notice):
        published = corpora(connection)
        marts = Marts(connection, Scope(tuple(row["corpus"] for row in published)))
        compared = {row["compared"]: row["language"] for row in marts.ask("across")}
        title = "Metrics of grammatical error correction, across corpora and languages"
        sections = _sections(marts, "across", progress)
        reports = {"": Report(Scope(tuple(compared)), published, sections, title, notice=notice)}
        for language in sorted(set(compared.values())):
            scope = Scope(tuple(corpus for corpus, tag in compared.items() if tag == language))
            marts.language = language
            sections = _sections(marts, "language", progress)
            title = f"Metrics of grammatical error correction: language {language}"
            reports[language] = Report(scope, published, sections, title, notice=notice)
    return reports


def _sections(marts: Marts, kind: str, progress: Progress) -> list[Section]:
    sections = []
    for declared in declarations()[kind]:
        progress(f"reading: {declared['name']}")
        sections.append(read_section(marts, declared))
    return [each for each in sections if each is not None]


def _card_section(marts: Marts, metric: str) -> Section:
    cards = {corpus: _card(marts, metric, corpus) for corpus in marts.scope.corpora}
    text = html("card.html.j2", cards=cards, first=marts.scope.first)
    return Section(f"card-{metric}", metric, f"What are the results for {metric}?", html=text)


def _card(marts: Marts, metric: str, corpus: str) -> list[Part]:
    try:
        card = card_of(marts.connection, metric, corpus)
    except UnknownError:
        try:
            card = card_of(marts.connection, metric, None)
        except UnknownError as error:
            return [Lines("", [f"{error}."])]
        if card.corpus is not None:
            return [Lines("", [f"{metric} has no scores at corrections of {corpus}."])]
    except duckdb.CatalogException:
        return [Lines("", ["These marts have no cards: an older version published them."])]
    return page(card)


def render(report: Report, progress: Progress, drawing: ProcessPoolExecutor, docs: str = "") -> str:
    """Return the page as one file that loads nothing else. `docs` is the documentation to link."""
    data, sections, pictures = {}, [], []
    names = {section.name for section in report.sections}
    for section in report.sections:
        exhibits = []
        for exhibit in section.exhibits:
            progress(f"drawing: {exhibit.name}")
            spec = spec_of(exhibit) if exhibit.chart is not None else None
            selected = exhibit.selected(report.defaults)
            rows = exhibit.shown(report.defaults)
            data[exhibit.name] = _data(exhibit, spec)
            fields = vars(exhibit) | {
                "svg": "",
                "id": f"{exhibit.name}-picture" if exhibit.name in names else exhibit.name,
                "selected": selected,
                "shown": [is_shown(row, exhibit.keys, selected) for row in exhibit.rows],
            }
            if spec and rows:
                pictures.append((exhibit, fields, draw(drawing, padded(exhibit, spec, rows))))
            exhibits.append(fields)
        sections.append(vars(section) | {"exhibits": exhibits})
    progress("writing")
    for exhibit, fields, svg in pictures:
        fields["svg"] = combinable_svg(exhibit, svg.result())
    absent: dict[str, list[str]] = {}
    for section in report.sections:
        if section.missing:
            absent.setdefault(section.missing.rstrip("."), []).append(section.short)
    pairs = report.exhibits["worst-pairs"].rows if "worst-pairs" in report.exhibits else []
    return html(
        "page.html.j2",
        title=report.title,
        notice=report.notice,
        corpora=[row for row in report.corpora if row["corpus"] in report.scope.corpora],
        older=PLACE,
        filters=_filter_values(report),
        sections=[section for section in sections if not section["missing"]],
        linked={(row["corpus"], row["metric"]) for row in pairs},
        absent=absent,
        defaults=report.defaults,
        data=_in_script(data),
        vega=script().replace("</script", r"<\/script"),
        style=page_file("style.css") + part("tables.css"),
        licences=page_file("licences.txt"),
        script=page_file("page.js"),
        tables=part("tables.js"),
        docs=docs,
    )


def _data(exhibit: Exhibit, spec: dict[str, Any] | None) -> dict[str, Any]:
    fields = fields_of(exhibit, spec or {})
    return {
        "keys": exhibit.keys,
        "fields": fields,
        "rows": compact(exhibit.rows, fields),
        "spec": spec,
        "panel": exhibit.panel,
        "labels": label_width(exhibit),
        "margin": margin_of(spec or {}),
        "across": exhibit.across,
        "columnWidth": exhibit.column_width,
    }


def _filter_values(report: Report) -> dict[str, list[str]]:
    exhibits = report.exhibits.values()
    groups = {row.get("metric_group") for exhibit in exhibits for row in exhibit.rows}
    has_variants = any(
        row.get("variant") == "variant"
        for exhibit in exhibits
        if "variant" in exhibit.keys
        for row in exhibit.rows
    )
    # Pages across corpora have no rows about a single corpus.
    has_corpora = any("corpus" in exhibit.keys for exhibit in exhibits)
    return {
        "corpus": [*report.scope.corpora] if has_corpora else [],
        "metric_group": ["all", *(group for group in GROUPS if group in groups)],
        "variant": ["standard", "all"] if has_variants else [],
    }


def _in_script(data: dict[str, Any]) -> str:
    """Return JSON that cannot end the script element around it."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c")


def picture_file(report: Report, name: str, kind: str) -> bytes:
    """Return a picture as svg, pdf or png; raise UnknownError if no picture has the name."""
    pictures = {
        key: exhibit
        for key, exhibit in report.exhibits.items()
        if exhibit.chart is not None and exhibit.shown(report.defaults)
    }
    if name not in pictures:
        raise UnknownError(unknown("picture", name, list(pictures)))
    return picture(pictures[name], pictures[name].shown(report.defaults), kind)


def table_file(report: Report, name: str, kind: str) -> str:
    """Return a table: LaTeX with booktabs, or CSV with a column for each end of an interval.

    If the page shows one metric at a time, the table has all requested metrics. Raises UnknownError
    if no table has the name.
    """
    if name not in report.exhibits:
        raise UnknownError(unknown("table", name, list(report.exhibits)))
    exhibit = report.exhibits[name]
    rows = exhibit.rows_of_metrics(report.defaults, report.scope.metrics)
    if kind == "latex":
        columns = [column for column in exhibit.columns if any(map(column.cell, rows))]
        return f"% {exhibit.title} Needs \\usepackage{{booktabs}}.\n" + tabular(
            [latex_text(column.label) for column in columns],
            [column.is_number for column in columns],
            ([latex_text(_without_tags(column.cell(row))) for column in columns] for row in rows),
        )
    ends = [(column.field, column.low, column.high) for column in exhibit.columns]
    fields = [*filter(None, chain(*ends))]
    stream = io.StringIO()
    writer = csv.DictWriter(stream, fields, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def _without_tags(text: str) -> str:
    return re.sub(r"<[^>]+>", "", text) if isinstance(text, Markup) else text
