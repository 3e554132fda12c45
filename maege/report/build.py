"""Build the page: read its sections from the marts, draw the charts, and fill the template."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from markupsafe import Markup

from maege.comparison.pages.page import part
from maege.ingest.warehouse import Warehouse, WarehouseError
from maege.names import UnknownError, in_a_sentence, unknown
from maege.report.declared import declarations, read_section
from maege.report.exhibits import (
    Answer,
    Column,
    Exhibit,
    Row,
    Section,
    Words,
    is_shown,
    without,
)
from maege.report.marts import Marts, Scope, corpora
from maege.report.older import PLACE
from maege.report.sections import card
from maege.report.specs import (
    combinable_svg,
    compact,
    fields_of,
    label_width,
    margin_of,
    padded,
    spec_of,
)
from maege.report.templates import html, page_file
from maege.report.vega import Drawing, script
from maege.shipped.read import open_marts_or_results

Progress = Callable[[str], None]
# With more corpora than these, the first paragraph only names them.
MOST_DESCRIBED = 8
# For a corpus without judgments, these sections come first, and papers are not about it.
SYSTEMS_FIRST = ("systems", "annotators")
PAPERS = "replication"
GROUP_NAMES = {
    "texts": "reading texts",
    "edits": "reading edits",
    "no references": "without references",
}


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
        return {
            "corpus": self.scope.first,
            "metric_group": "all",
            "variant": variant,
        }


def read_report(
    warehouse: Warehouse,
    corpus: str | None,
    metrics: tuple[str, ...],
    progress: Progress,
    *,
    with_variants: bool = False,
) -> Report:
    """Return the report on one corpus or all corpora, and on some or all metrics.

    For a corpus with systems but without judgments, the sections on systems and annotators come
    first.

    Raises:
        UnknownError: the marts do not have the corpus or metric.
        WarehouseError: nothing is published yet.

    """
    with open_marts_or_results(warehouse) as (connection, notice):
        published = corpora(connection)
        if not published:
            raise WarehouseError(f"{warehouse.marts}: holds no corpus. Run `maege ingest` first.")
        names = tuple(row["corpus"] for row in published)
        if corpus is not None and corpus not in names:
            raise UnknownError(unknown("corpus", corpus, list(names)))
        chosen = (corpus,) if corpus else names
        marts = Marts(connection, Scope(chosen, chosen[0], metrics))
        verdicts = Counter(
            row["corpus"] for row in marts.ask("best_metrics") if row["too_few"] is None
        )
        chosen = tuple(sorted(chosen, key=lambda corpus: -verdicts[corpus]))
        marts.scope = Scope(chosen, chosen[0], metrics)
        for metric in metrics:
            if metric not in marts.groups:
                raise UnknownError(unknown("metric", metric, sorted(marts.groups)))
        sections = [*card.sections(marts), *_sections(marts, "report", progress)]
    report = Report(marts.scope, published, sections, with_variants=with_variants, notice=notice)
    if metrics:
        return replace(report, title=f"Results for {', '.join(metrics)}")
    about = [row for row in published if row["corpus"] in chosen]
    if _is_about_systems(about, sections, is_chosen=corpus is not None):
        sections.sort(key=lambda section: section.name not in SYSTEMS_FIRST)
        reason = "No paper is about this corpus."
        sections[:] = [
            without(section.name, section.title, reason) if section.name == PAPERS else section
            for section in sections
        ]
        titles = in_a_sentence([row["title"] or row["corpus"] for row in about])
        return replace(report, title=f"{titles}: systems and metrics")
    return report


def _is_about_systems(corpora: list[Row], sections: list[Section], *, is_chosen: bool) -> bool:
    """Whether the corpora serve to compare systems, not metrics: there are no human judgments.

    For corpora that were not chosen by name, metrics must lack a verdict, too.
    """
    by_name = {section.name: section for section in sections}
    has_verdict = bool(by_name["verdict"].answers)
    is_judged = any(row["judgments"] for row in corpora)
    return bool(by_name["systems"].exhibits) and not is_judged and (is_chosen or not has_verdict)


def read_across(warehouse: Warehouse, progress: Progress) -> dict[str, Report]:
    """Return the reports across corpora: one for each language, and under "" one for all.

    Raises:
        WarehouseError: nothing is published yet.

    """
    with open_marts_or_results(warehouse) as (connection, notice):
        published = corpora(connection)
        names = tuple(row["corpus"] for row in published)
        marts = Marts(connection, Scope(names, names[0] if names else ""))
        compared = {row["compared"]: row["language"] for row in marts.ask("across")}
        all_corpora = Scope(tuple(compared), next(iter(compared), ""))
        title = "Metrics of grammatical error correction, across corpora and languages"
        sections = _sections(marts, "across", progress)
        reports = {"": Report(all_corpora, published, sections, title, notice=notice)}
        for language in sorted(set(compared.values())):
            chosen = tuple(corpus for corpus, tag in compared.items() if tag == language)
            marts.language = language
            sections = _sections(marts, "language", progress)
            title = f"Metrics of grammatical error correction: language {language}"
            scope = Scope(chosen, chosen[0])
            reports[language] = Report(scope, published, sections, title, notice=notice)
    return reports


def _sections(marts: Marts, kind: str, progress: Progress) -> list[Section]:
    sections = []
    for declared in declarations()[kind]:
        progress(f"reading: {declared['name']}")
        sections.append(read_section(marts, declared))
    return [each for each in sections if each is not None]


def _short(section: Section) -> str:
    """Return the name of the section in the list of sections."""
    return _short_names().get(section.name) or section.name.removeprefix(card.PREFIX)


@cache
def _short_names() -> dict[str, str]:
    kinds = declarations()
    pages = ("report", "across", "language")
    return {each["name"]: each["short"] for page in pages for each in kinds[page]}


def render(report: Report, progress: Progress, drawing: Drawing, docs: str = "") -> str:
    """Return the page as one file that loads nothing else. `docs` is the documentation to link."""
    data, sections, pictures = {}, [], []
    names = {section.name for section in report.sections}
    shown = [section for section in report.sections if not section.is_empty]
    for section in shown:
        exhibits = []
        for exhibit in section.exhibits:
            progress(f"drawing: {exhibit.name}")
            spec = spec_of(exhibit) if exhibit.chart is not None else None
            selected = exhibit.selected(report.defaults)
            rows = exhibit.shown(report.defaults)
            data[exhibit.name] = _data(exhibit, spec)
            identity = f"{exhibit.name}-picture" if exhibit.name in names else exhibit.name
            fields = vars(exhibit) | {
                "svg": "",
                "id": identity,
                "selected": selected,
                "shown": [is_shown(row, exhibit.keys, selected) for row in exhibit.rows],
            }
            if spec and rows:
                pictures.append((exhibit, fields, drawing.svg(padded(exhibit, spec, rows))))
            exhibits.append(fields)
        sections.append(
            {
                "name": section.name,
                "short": _short(section),
                "title": section.title,
                "words": section.words,
                "exhibits": exhibits,
                "answers": section.answers,
                "html": section.html,
            }
        )
    progress("writing")
    for exhibit, fields, svg in pictures:
        fields["svg"] = combinable_svg(exhibit, svg.result())
    return html(
        "page.html.j2",
        title=report.title,
        lead=_lead(report),
        older=PLACE,
        filters=_filters(report),
        sections=sections,
        linked=_metrics_with_pairs(report),
        absent=_absent([section for section in report.sections if section.is_empty]),
        defaults=report.defaults,
        data=_in_script(data),
        vega=script().replace("</script", r"<\/script"),
        style=page_file("style.css") + part("tables.css"),
        licences=page_file("licences.txt"),
        script=page_file("page.js"),
        tables=part("tables.js"),
        cell=_cell,
        is_shown_first=_is_shown_first,
        docs=docs,
        colophon="Made by maege report from the published marts. It loads nothing from the "
        "network.",
    )


def _metrics_with_pairs(report: Report) -> set[tuple[str, str]]:
    """Return the corpora and metrics for which the page shows example sentences."""
    pairs_of = report.exhibits.get("worst-pairs")
    return {(row["corpus"], row["metric"]) for row in pairs_of.rows} if pairs_of else set()


def _absent(sections: list[Section]) -> str:
    """Return one line on the sections without data, with the reasons."""
    by_reason: dict[str, list[str]] = {}
    for section in sections:
        reason = " ".join(line for words in section.words for line in words.lines)
        by_reason.setdefault(reason.rstrip("."), []).append(_short(section))
    parts = (f"{in_a_sentence(names)} ({reason})" for reason, names in by_reason.items())
    return f"Not in this report, for lack of data: {'; '.join(parts)}." if sections else ""


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


def _cell(column: Column, row: Row) -> str:
    """Return the cell; marked changes are HTML already."""
    text = column.cell(row)
    return Markup(text) if column.kind == "marked" else text  # noqa: S704 - escaped where marked


def _is_shown_first(part: Words | Answer, defaults: Row) -> bool:
    return part.corpus in ("", defaults["corpus"]) and part.variant in ("", defaults["variant"])


def _lead(report: Report) -> str:
    shown = [row for row in report.corpora if row["corpus"] in report.scope.corpora]
    extracted = {"references": ", lattices extracted from references"}
    named = (
        f"{row['corpus']} ({row['title']}: {row['n_sentences']:,} sentences, "
        f"{row['n_systems']} systems{extracted.get(row.get('lattices_from') or '', '')})"
        for row in shown
    )
    if len(shown) > MOST_DESCRIBED:
        names = ", ".join(row["corpus"] for row in shown)
        measured = [f"Measured on {len(shown)} corpora: {names}."]
    else:
        measured = [f"Measured on {'; '.join(named)}."] if shown else []
    return " ".join([*filter(None, [report.notice]), *measured])


def _filters(report: Report) -> list[dict[str, Any]]:
    shown = {
        row.get("metric_group") for exhibit in report.exhibits.values() for row in exhibit.rows
    }
    groups = [(group, name) for group, name in GROUP_NAMES.items() if group in shown]
    variants = [("standard", "standard metrics"), ("all", "with variants")]
    if not any(
        row.get("variant") == "variant"
        for exhibit in report.exhibits.values()
        if "variant" in exhibit.keys
        for row in exhibit.rows
    ):
        variants = []
    # Pages across corpora have no rows about a single corpus.
    read = {key for exhibit in report.exhibits.values() for key in exhibit.keys}
    listed = report.scope.corpora if "corpus" in read else ()
    choices = [
        ("corpus", "Corpus", [(name, name) for name in listed]),
        ("metric_group", "Metrics", [("all", "all"), *groups]),
        ("variant", "Variants", variants),
    ]
    return [
        {
            "field": field,
            "label": label,
            "options": options,
            "default": report.defaults[field],
        }
        for field, label, options in choices
        if len(options) > 1
    ]


def _in_script(data: dict[str, Any]) -> str:
    """Return JSON that cannot end the script element around it."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c")
