"""Agreement of metrics with human judgments, for every question in the judgment sets."""

from collections.abc import Iterator
from html import escape
from itertools import groupby

from maege.numbers import format_number
from maege.report.exhibits import Choice, Column, Exhibit, Row, Section, Words, without
from maege.report.marts import Marts, sql

NAME, TITLE = "people", "What do metrics and people agree on?"
NEVER_ONE = (
    "Compare numbers within a column, but not between columns: each question has its own scale and "
    "ceiling, and judgments of meaning and of fluency order outputs in opposite ways."
)
SMALL = "chance_small_edit"
LESSONS = 6


def sections(marts: Marts) -> list[Section]:
    """Return a table of metrics by questions for each judgment set, and the rows as a list."""
    rows = marts.ask("people")
    if not rows:
        return [without(NAME, TITLE, "No human judgments are ingested (docs/corpora.md).")]
    for row in rows:
        # The rows belong to the corpora of the page and are shown for each selected corpus.
        del row["corpus"]
    lessons = (*_opposite_aspects(rows), *_pooled(rows), *_reversed_orders(rows))[:LESSONS]
    words = (Words((NEVER_ONE, *lessons)),)
    return [Section(NAME, TITLE, words, (_list(rows),), html=_tables(rows))]


def _list(rows: list[Row]) -> Exhibit:
    sets = tuple(dict.fromkeys(row["judgment_set"] for row in rows))
    return Exhibit(
        "people-list",
        "How well does each metric agree with human judgments?",
        "A list without a picture: every metric at every question of a judgment set.",
        sql("people"),
        (
            Column("question", "question"),
            Column("metric", "metric"),
            Column("estimate", "agreement", "value", "ci_low", "ci_high"),
            Column("rank_low", "rank from", "count"),
            Column("rank_high", "to", "count"),
            Column("ceiling", "ceiling", "value"),
            Column("n", "of", "count"),
            Column("too_few", "too few"),
        ),
        rows,
        choices=(Choice("judgment_set", "Judgments", sets, sets[0]),),
        note="Systems, pooled and by system: Pearson's r. Outputs and within items: share of pairs "
        "in the judges' order; ties count as half. Edits: area under the ROC curve. The best rank "
        "is 1 plus the number of metrics whose whole interval is higher; the worst rank excludes "
        "those whose whole interval is lower. Ceiling: agreement of a judge with the others.",
    )


def _tables(judged: list[Row]) -> str:
    parts = ["<h3>Ranks of metrics by question</h3>"]
    parts += [
        f'<details id="people-{escape(name)}"><summary>{escape(name)}</summary>'
        f'<div class="wide" tabindex="0" role="region" aria-label="Metrics and {escape(name)}">'
        f"{_table(list(rows))}</div></details>"
        for name, rows in groupby(judged, lambda row: row["judgment_set"])
    ]
    return "\n".join(parts)


def _table(rows: list[Row]) -> str:
    """Return a table of metrics by questions with agreement and ranks; too little data is grey."""
    questions = list(dict.fromkeys(row["question"] for row in rows))
    metrics = sorted({row["metric"] for row in rows}, key=lambda m: (m.startswith("chance_"), m))
    cells = {(row["metric"], row["question"]): row for row in rows}
    ceilings = {row["question"]: row["ceiling"] for row in rows}
    head = "".join(f'<th scope="col">{escape(question)}</th>' for question in questions)
    body = "".join(
        f'<tr><th scope="row">{escape(metric)}</th>'
        + "".join(_cell(cells.get((metric, question))) for question in questions)
        + "</tr>"
        for metric in metrics
    )
    last = "".join(
        f"<td>{'' if ceilings[question] is None else format_number(ceilings[question])}</td>"
        for question in questions
    )
    return (
        f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}"
        f'<tr><th scope="row">ceiling</th>{last}</tr></tbody></table>'
    )


def _cell(row: Row | None) -> str:
    if row is None:
        return "<td></td>"
    value = format_number(row["estimate"])
    if row["rank_low"] is not None:
        ranks = dict.fromkeys((row["rank_low"], row["rank_high"]))
        return f"<td>{value} ({'–'.join(map(str, ranks))})</td>"
    if row["too_few"] is None:
        return f"<td>{value}</td>"
    return f'<td class="few" title="too few {escape(row["too_few"])}">{value}</td>'


def _pooled(judged: list[Row]) -> Iterator[str]:
    """Yield tasks whose best metric within items is one of the worst over all outputs."""
    rated = [row for row in judged if row["rank_low"] is not None]
    for (name, task, aspect), group in groupby(
        sorted(rated, key=_question_key), lambda row: _question_key(row)[:3]
    ):
        rows_by_level = {
            level: sorted(rows, key=lambda row: -row["estimate"])
            for level, rows in groupby(list(group), lambda row: row["level"])
        }
        within, pooled = rows_by_level.get("within_item"), rows_by_level.get("pooled")
        if not within or not pooled:
            continue
        best = within[0]
        place = next((n for n, row in enumerate(pooled) if row["metric"] == best["metric"]), 0)
        if 3 * place >= 2 * len(pooled):
            yield (
                f"{name}, {task}, {aspect}: {best['metric']} orders the outputs of one item best "
                f"({format_number(best['estimate'])} of pairs) and is {place + 1} of {len(pooled)} "
                f"over all outputs (r {format_number(pooled[place]['estimate'])}). The pooled "
                "number reflects differences between sentences, not between their outputs."
            )


def _opposite_aspects(rows: list[Row]) -> Iterator[str]:
    """Yield tasks in which people prefer small changes for one aspect, and large for another."""
    small = [
        row
        for row in rows
        if row["metric"] == SMALL and row["level"] in ("within_item", "outputs") and row["aspect"]
    ]
    for (name, task), group in groupby(
        sorted(small, key=_question_key), lambda row: _question_key(row)[:2]
    ):
        ordered = sorted(group, key=lambda row: row["estimate"])
        least, most = ordered[0], ordered[-1]
        if least["ci_high"] and most["ci_low"] and least["ci_high"] < 0.5 < most["ci_low"]:
            yield (
                f"{name}, {task}: outputs with fewer changes are preferred for {most['aspect']} "
                f"({format_number(most['estimate'])} of pairs), outputs with more changes for "
                f"{least['aspect']} ({format_number(1 - least['estimate'])}). Do not combine "
                "aspects."
            )


def _reversed_orders(judged: list[Row]) -> Iterator[str]:
    """Yield aspects for which the best metric of one task is in the lower half of another task.

    If there are several, use the task in which the metric has the lowest rank.
    """
    rated = [row for row in judged if row["rank_low"] is not None and row["level"] == "within_item"]
    for (name, aspect), group in groupby(
        sorted(rated, key=lambda row: (row["judgment_set"], row["aspect"], row["task"])),
        lambda row: (row["judgment_set"], row["aspect"]),
    ):
        orders = {
            task: [row["metric"] for row in sorted(rows, key=lambda row: -row["estimate"])]
            for task, rows in groupby(list(group), lambda row: row["task"])
        }
        falls = [
            (other_order.index(order[0]) / len(other_order), order[0], task, other)
            for task, order in orders.items()
            for other, other_order in orders.items()
            if order[0] in other_order
        ]
        share, metric, task, other = max(falls)
        if share >= 0.5:
            yield (
                f"{name}, {aspect}: {metric} is the best of {task} and "
                f"{orders[other].index(metric) + 1} of {len(orders[other])} of {other}. The order "
                "of metrics is specific to the texts."
            )


def _question_key(row: Row) -> tuple[str, str, str, str]:
    return (
        row["judgment_set"],
        row["task"] or "",
        row["aspect"] or "",
        row["level"] or "",
    )
