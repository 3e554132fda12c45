"""Metrics against people: every question that people were asked, and what metrics make of it."""

from collections.abc import Iterator
from html import escape
from itertools import groupby

from maege.numbers import format_number
from maege.report.exhibits import Choice, Column, Exhibit, Row, Section, Words, without
from maege.report.marts import Marts, sql

NAME, TITLE = "people", "What do metrics and people agree on?"
NEVER_ONE = (
    "Numbers of one column can be compared, never those of two: each question has a scale and a "
    "ceiling of its own, and what people say of meaning and of fluency orders outputs in opposite "
    "ways."
)
SMALL = "chance_small_edit"
LESSONS = 6


def sections(marts: Marts) -> list[Section]:
    """Return one table a judgment set, metrics by questions, and the same rows as a list."""
    found = marts.ask("people")
    if not found:
        return [without(NAME, TITLE, "No human judgments are ingested (docs/corpora.md).")]
    for row in found:
        # The corpora of the page have been chosen: what is here is shown beside any of them.
        del row["corpus"]
    lessons = (*_opposite(found), *_pooled(found), *_turned(found))[:LESSONS]
    words = (Words((NEVER_ONE, *lessons)),)
    return [Section(NAME, TITLE, words, (_list(found),), extra={"html": _tables(found)})]


def _list(found: list[Row]) -> Exhibit:
    sets = tuple(dict.fromkeys(row["judgment_set"] for row in found))
    return Exhibit(
        "people-list",
        "How near does each metric come to what people said?",
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
        found,
        choices=(Choice("judgment_set", "Judgments", sets, sets[0]),),
        note="Of systems, pooled and by system Pearson's r; of outputs and within items the share "
        "of pairs in the judges' order, ties half; of edits the area under the curve. A rank is "
        "1 and how many metrics lie above with their whole intervals, to all but those that lie "
        "below so. The ceiling is what people get who are held against the others.",
    )


def _tables(found: list[Row]) -> str:
    parts = ["<h3>Ranks of metrics by question</h3>"]
    parts += [
        f'<details id="people-{escape(name)}"><summary>{escape(name)}</summary>'
        f'<div class="wide" tabindex="0" role="region" aria-label="Metrics beside {escape(name)}">'
        f"{_table(list(rows))}</div></details>"
        for name, rows in groupby(found, lambda row: row["judgment_set"])
    ]
    return "\n".join(parts)


def _table(found: list[Row]) -> str:
    """Return metrics by questions: agreement and ranks, grey where there is too little."""
    questions = list(dict.fromkeys(row["question"] for row in found))
    metrics = sorted({row["metric"] for row in found}, key=lambda m: (m.startswith("chance_"), m))
    cells = {(row["metric"], row["question"]): row for row in found}
    ceilings = {row["question"]: row["ceiling"] for row in found}
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


def _pooled(found: list[Row]) -> Iterator[str]:
    """Say where the metric that is best within items is one of the worst over all outputs."""
    rated = [row for row in found if row["rank_low"] is not None]
    for (name, task, aspect), group in groupby(
        sorted(rated, key=_asked), lambda row: _asked(row)[:3]
    ):
        of_level = {
            level: sorted(rows, key=lambda row: -row["estimate"])
            for level, rows in groupby(list(group), lambda row: row["level"])
        }
        within, pooled = of_level.get("within_item"), of_level.get("pooled")
        if not within or not pooled:
            continue
        best = within[0]
        place = next((n for n, row in enumerate(pooled) if row["metric"] == best["metric"]), 0)
        if 3 * place >= 2 * len(pooled):
            yield (
                f"{name}, {task}, {aspect}: {best['metric']} orders the outputs of one item best "
                f"({format_number(best['estimate'])} of pairs) and is {place + 1} of {len(pooled)} "
                f"over all outputs (r {format_number(pooled[place]['estimate'])}). The pooled "
                "number is about sentences, not outputs."
            )


def _opposite(found: list[Row]) -> Iterator[str]:
    """Say where people prefer small edits for one aspect and large ones for another."""
    small = [
        row
        for row in found
        if row["metric"] == SMALL and row["level"] in ("within_item", "outputs") and row["aspect"]
    ]
    for (name, task), group in groupby(sorted(small, key=_asked), lambda row: _asked(row)[:2]):
        ordered = sorted(group, key=lambda row: row["estimate"])
        least, most = ordered[0], ordered[-1]
        if least["ci_high"] and most["ci_low"] and least["ci_high"] < 0.5 < most["ci_low"]:
            yield (
                f"{name}, {task}: who changed less is preferred for {most['aspect']} "
                f"({format_number(most['estimate'])} of pairs), who changed more for "
                f"{least['aspect']} ({format_number(1 - least['estimate'])}). Never put aspects "
                "together."
            )


def _turned(found: list[Row]) -> Iterator[str]:
    """Say of one aspect where the metric that is best at one task is in the lower half at another.

    Of several such tasks it is the one where that metric falls furthest.
    """
    rated = [row for row in found if row["rank_low"] is not None and row["level"] == "within_item"]
    for (name, aspect), group in groupby(
        sorted(rated, key=lambda row: (row["judgment_set"], row["aspect"], row["task"])),
        lambda row: (row["judgment_set"], row["aspect"]),
    ):
        orders = {
            task: [row["metric"] for row in sorted(rows, key=lambda row: -row["estimate"])]
            for task, rows in groupby(list(group), lambda row: row["task"])
        }
        falls = [
            (others.index(order[0]) / len(others), order[0], task, other)
            for task, order in orders.items()
            for other, others in orders.items()
            if order[0] in others
        ]
        share, metric, task, other = max(falls)
        if share >= 0.5:
            yield (
                f"{name}, {aspect}: {metric} is the best of {task} and "
                f"{orders[other].index(metric) + 1} of {len(orders[other])} of {other}. The order "
                "of metrics is one of these texts."
            )


def _asked(row: Row) -> tuple[str, str, str, str]:
    return (
        row["judgment_set"],
        row["task"] or "",
        row["aspect"] or "",
        row["level"] or "",
    )
