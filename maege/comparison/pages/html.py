"""A comparison as one HTML file: the verdict, scores, error types, and every edit."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from math import inf
from typing import Any

import numpy as np

from maege.analysis.compare.results import Result, Sentence
from maege.analysis.metrics.formula import f_of_sums
from maege.comparison.numbers import ERRANT, format_f, metric_name, provenance, type_mark
from maege.comparison.pages.page import (
    Mark,
    PageSection,
    figure,
    outcome,
    page,
    score_figure,
    table_html,
)
from maege.comparison.pages.tables import (
    CORRECTED,
    Table,
    ordered,
    pairs,
    remarks,
    score_table,
    table,
    totals_table,
    type_table,
)
from maege.comparison.verdict import verdict
from maege.numbers import format_number, format_signed

TYPES_SHOWN = 20
KEY = (
    '<p class="key">▲ significantly better than the first system, ▼ worse, = statistically tied. '
    '<strong>Bold</strong>: the best score. <span class="like">Underlined</span>: statistically '
    "tied with the best. Rank: the range of ranks that the tests against all other systems "
    "allow.</p>\n"
)


def as_html(result: Result) -> str:
    names = [system.name for system in result.systems]
    heading = " and ".join(names) if len(names) <= 2 else f"{len(names)} systems"
    buckets = "".join(table_html(table, table.columns[0]) for table in bucket_tables(result))
    sections = (
        PageSection("scores", "Scores", "Scores", _scores(result)),
        PageSection("types", "Error types", "Types", "".join(_types(result))),
        PageSection("buckets", "Sentences by length and score", "Length", buckets),
    )
    edits = {
        "systems": names,
        "annotators": [annotator.id for annotator in result.gold.annotators],
        "sentences": [_sentence(sentence) for sentence in result.sentences],
    }
    return page(
        f"{heading}: a comparison",
        verdict(result),
        score_table(result).caption,
        sections,
        edits,
        provenance(result),
    )


def _scores(result: Result) -> str:
    notes = "".join(f"<li>{escape(remark)}</li>\n" for remark in remarks(result))
    totals = totals_table(result)
    parts = (
        _score_chart(result),
        KEY,
        table_html(replace(score_table(result), caption="Scores and ranks"), "scores"),
        f'<ul class="remarks">\n{notes}</ul>\n' if notes else "",
        "" if totals is None else table_html(totals, "totals"),
    )
    return "".join(parts)


def _score_chart(result: Result) -> str:
    marks = []
    for system in ordered(result):
        score = system.scores[ERRANT]
        low, high = score.ci or (None, None)
        data = {"system": system.name}
        marks.append(Mark(system.name, score.value, low, high, format_f(score.value), data))
    name = metric_name(ERRANT, result.signature.beta)
    caption = (
        "Bars are scores, lines are 95 % confidence intervals. Overlapping intervals do not mean "
        "that two systems are tied: the table has the paired tests. A click on a line shows the "
        "edits of the system."
    )
    return score_figure(marks, name, caption)


def _types(result: Result) -> Iterator[str]:
    for place, (a, b) in enumerate(pairs(result)):
        types = type_table(result, a, b)
        if types is not None:
            name = escape(f"{b} against {a}")
            body = _type_chart(result, a, b) + table_html(types, f"types, {b} against {a}")
            state = " open" if place == 0 else ""
            yield f"<details{state}><summary>{name}</summary>\n{body}</details>\n"


def _type_chart(result: Result, a: str, b: str) -> str:
    rows = [row for row in result.types_of(a, b) if row.is_tested and row.ci is not None]
    if not rows:
        return ""
    marks = [
        Mark(
            row.type,
            row.difference,
            row.ci.low,
            row.ci.high,
            f"{format_signed(row.difference)} {type_mark(row, result.signature.alpha)}".rstrip(),
            {"type": row.type, "system": b, "other": a},
        )
        for row in rows[:TYPES_SHOWN]
        if row.ci is not None
    ]
    label = f"Difference in F by error type, {b} − {a}, with 95 % confidence intervals"
    caption = (
        f"{label}. Right of the line at 0, {b} is better. ▲ and ▼: significant "
        f"after correction. A click on a line shows its sentences. {CORRECTED}"
    )
    return figure(marks, f"difference in F, {b} − {a}", label, caption, bars=False)


def _sentence(sentence: Sentence) -> dict[str, Any]:
    """Return a sentence: g are the gold edits, o the edits of each system, m the missed ones."""
    missed = {edit.place: number for number, edit in enumerate(sentence.gold)}
    return {
        "i": sentence.id,
        "s": sentence.source,
        "a": list(sentence.annotators),
        "g": [[*edit.place, edit.type, list(edit.annotators)] for edit in sentence.gold],
        "o": [
            [
                [
                    *(*edit.place, edit.type, edit.have, edit.of),
                    outcome(edit.have, edit.of),
                    int(edit.is_counted),
                ]
                for edit in system.edits
            ]
            for system in sentence.systems
        ],
        "m": [[missed[edit.place] for edit in system.missed] for system in sentence.systems],
    }


# --- Scores by sentence length, and numbers of sentences by score, as in compare-mt ---

# The longest sentence of each group, in tokens; the last group has no limit.
LENGTHS = (10, 20, 30, 40)
# The highest score of each group.
SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


def bucket_tables(result: Result) -> Iterator[Table]:
    systems = [system.name for system in result.systems]
    places = range(len(systems))
    name = metric_name(ERRANT, result.signature.beta)
    by_length = []
    for least, most in zip((0, *LENGTHS), (*LENGTHS, inf), strict=True):
        group = [
            sentence
            for sentence in result.sentences
            if least < len(sentence.source.split()) <= most
        ]
        if group:
            label = f"more than {least}" if most == inf else f"{least + 1}–{most}"
            shown = (format_number(_f_of(group, place, result), 3) for place in places)
            by_length.append([label, f"{len(group):,}", *shown])
    caption = f"{name} by the number of tokens of the source sentence."
    yield table(caption, ("tokens", "sentences", *systems), by_length)
    scores = np.array(
        [[_f_of([sentence], place, result) for place in places] for sentence in result.sentences]
    )
    by_score = []
    for low, high in zip((-1.0, *SCORES[:-1]), SCORES, strict=True):
        label = f"above {max(low, 0):g}, up to {high:g}" if high else "0"
        numbers = ((low < scores) & (scores <= high)).sum(axis=0)
        by_score.append([label, *(f"{number:,}" for number in numbers)])
    yield table(f"Number of sentences by their {name}.", ("score", *systems), by_score)


def _f_of(sentences: Sequence[Sentence], place: int, result: Result) -> float:
    counts = [sentence.systems[place].counts for sentence in sentences]
    tp, fp, fn = (sum(column) for column in zip(*counts, strict=True))
    return float(f_of_sums(np.array([tp, tp + fp, tp + fn], float), result.signature.beta))
