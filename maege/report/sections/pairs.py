"""Pairs of corrections that a metric orders wrongly, with their differences marked."""

from html import escape

from maege.cards.page import shortened, word_changes
from maege.cards.parts import Change
from maege.report.exhibits import Choice, Column, Exhibit, Section, numbered, without
from maege.report.marts import Marts, sql
from maege.report.sections.validation import NO_LATTICE

NAME = "worst-pairs"
TAGS = {"same": "{}", "deleted": "<del>{}</del>", "inserted": "<ins>{}</ins>"}


def sections(marts: Marts) -> list[Section]:
    """Return the worst pairs of every metric; the page shows one metric at a time."""
    name, title = "pairs", "Where exactly is it most wrong?"
    rows = numbered(marts.dwell(marts.ask("worst_pairs")))
    if not rows:
        return [without(name, title, NO_LATTICE)]
    metrics = tuple(sorted({row["metric"] for row in rows}))
    for row in rows:
        row["edits"] = marked(row["lower_text"], row["upper_text"])
        row["about"] = row["error_type"] or f"{row['n_edits_between']} edits"
    exhibit = Exhibit(
        NAME,
        "Which valid corrections lower the score most?",
        "A list of pairs with the words that the correction deletes and inserts.",
        sql("worst_pairs"),
        (
            Column("edits", "correction", "marked"),
            Column("lower_score", "score before", "score"),
            Column("upper_score", "after", "score"),
            Column("about", "error type"),
            Column("sentence_id", "sentence", "count"),
            Column("metric", "metric"),
        ),
        rows,
        is_open=True,
        choices=(Choice("metric", "Metric", metrics, marts.metric(list(metrics))),),
        note="Each pair differs by one or more edits of an annotator, and the metric scores the "
        "text with the edits lower. Mart discordant_pairs has more, ordered by badness_rank.",
    )
    return [Section(name, title, exhibits=(exhibit,))]


def marked(before: str, after: str) -> str:
    """Return the change as HTML, with a few of the words around it."""
    return html_of(shortened(word_changes(before, after)))


def html_of(changes: list[Change]) -> str:
    """Return unchanged, deleted and inserted words as HTML."""
    return " ".join(TAGS[kind].format(escape(words)) for kind, words in changes)
