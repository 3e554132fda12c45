"""The verdict of a card in plain sentences, and comparisons with other metrics."""

from functools import partial
from operator import itemgetter
from typing import Any

from maege.analysis.best_metrics.measured import BETTER, WORSE
from maege.analysis.statistics.resampling import margin_shown, standard_error
from maege.cards.facts import Card
from maege.cards.parts import read_sentences
from maege.names import in_a_sentence
from maege.numbers import format_number, format_share, format_signed, interval
from maege.rows import Row
from maege.tasks import TASKS

# If more than this share of the metrics are tied for best, the data separate hardly any.
MOST_TIED = 0.5
# The verdict mentions tied pairs from this share on.
MANY_TIES = 0.1
# The error types with the smallest q-values.
TYPES_SHOWN = 5
# Value of `text` in mart metric_cards for a difference that is not significant.
TIED = "statistically tied"
COMPARED = {
    "better": "significantly better than",
    TIED: "statistically tied with",
    "worse": "significantly worse than",
}


def verdict(card: Card) -> list[str]:
    """Return the verdict, a paragraph each; nothing if no task has a result for the metric."""
    own = [row for row in card.tasks if row["metric"] == card.metric]
    if not own:
        return []
    groups: dict[str, list[Row]] = {
        name: [] for name in ("few", "separated", "tied", "worse", "good", "bad")
    }
    for row in own:
        groups[_group(card, row)].append(row)
    return read_sentences(
        "cards/verdict.txt.j2",
        card=card,
        tasks=_tasks,
        tied_shares=[
            row["value"]
            for row in card.of("sentence")
            if (row["measure"], row["condition"]) == ("tied_share", "random_source")
            and row["value"] >= MANY_TIES
        ],
        compared=_comparisons_of_sentences(card),
        **groups,
    )


def _group(card: Card, row: Row) -> str:
    if row["too_few"] is not None:
        return "few"
    if not row["in_best_set"]:
        return {BETTER: "good", WORSE: "worse"}.get(row["verdict"], "bad")
    competing = [
        candidate["in_best_set"]
        for candidate in card.tasks
        if _key(candidate) == _key(row) and candidate["too_few"] is None
    ]
    return "tied" if sum(map(bool, competing)) > MOST_TIED * len(competing) > 1 else "separated"


def _key(row: Row) -> tuple[str, str, str | None]:
    return row["level"], row["corpus"], row["judgment_set"]


def _tasks(rows: list[Row]) -> str:
    judgment_sets: dict[str, list[str]] = {}
    for row in rows:
        task_sets = judgment_sets.setdefault(TASKS[row["level"]].name, [])
        if row["judgment_set"]:
            task_sets.append(row["judgment_set"])
    return in_a_sentence(
        [f"{name} ({', '.join(sets)})" if sets else name for name, sets in judgment_sets.items()]
    )


def _number(row: Row, value: float) -> str:
    return format_share(value) if TASKS[row["level"]].is_share else format_number(value)


def _comparisons_of_sentences(card: Card) -> list[str]:
    by_result: dict[str, list[str]] = {}
    for row in card.of("comparisons"):
        is_meant = row["condition"] == "random_source" and row["item"] in card.against
        if is_meant and row["text"] in COMPARED:
            by_result.setdefault(row["text"], []).append(_difference(row))
    return [
        f"{words} {in_a_sentence(by_result[result])}"
        for result, words in COMPARED.items()
        if result in by_result
    ]


def _difference(row: Row) -> str:
    shown, low, high = (format_signed(row[name], 2) for name in ("value", "ci_low", "ci_high"))
    text = f"tau difference {shown}"
    if low and high:
        text += f", 95 % CI {low} to {high}"
        if row["text"] == TIED and not row["ci_low"] <= 0 <= row["ci_high"]:
            text += "; not significant after correction for all pairs of metrics"
    return f"{row['item']} ({text})"


def compared_rows(card: Card) -> list[dict[str, Any]]:
    """Return a row per task with the estimates of the metric and those that it is compared with."""
    compared = [name for name in card.against if any(row["metric"] == name for row in card.tasks)]
    task_rows = {(_key(row), row["metric"]): row for row in card.tasks}
    names = (card.metric, *compared)
    return [
        {
            "names": names,
            "label": _label(row),
            "interval": interval(row, partial(_number, row)),
            "cells": [_cell(task_rows.get((_key(row), name))) for name in names],
        }
        for row in card.tasks
        if row["metric"] == card.metric and compared
    ]


def _cell(row: Row | None) -> str:
    if row is None or row["estimate"] is None:
        return ""
    return _number(row, row["estimate"]) + ("*" if row["in_best_set"] else " ")


def _label(row: Row) -> str:
    return ", ".join(filter(None, (TASKS[row["level"]].short, row["judgment_set"])))


def published_rows(card: Card) -> list[tuple[str, ...]]:
    """Return a row per task with the estimates of a user metric and the best published metric."""
    by_task: dict[tuple[str, str, str | None], list[Row]] = {}
    for row in card.published.tasks if card.published else ():
        by_task.setdefault(_key(row), []).append(row)
    rows: list[tuple[str, ...]] = []
    for row in card.tasks:
        published = by_task.get(_key(row))
        if row["metric"] != card.metric or row["estimate"] is None or not published:
            continue
        first = max(published, key=lambda other: (other["in_best_set"] is True, other["estimate"]))
        n_tied = sum(other["in_best_set"] is True for other in published) - 1
        n_worse = sum(other["estimate"] < row["estimate"] for other in published)
        rows.append(
            (
                _label(row),
                _number(row, row["estimate"]),
                f"{n_worse} of {len(published)}",
                _number(row, first["estimate"]),
                f"{first['metric']} and {n_tied} tied" if n_tied > 0 else first["metric"],
            )
        )
    return rows


def type_rows(facts: list[Row]) -> list[tuple[str, ...]]:
    """Return a row per metric: the error types at which the card's metric is better or worse."""
    types: dict[tuple[str, str], list[str]] = {}
    for row in sorted(facts, key=itemgetter("q_value", "condition")):
        types.setdefault((row["item"], row["text"]), []).append(row["condition"])
    rows = (
        (name, *(_listed(types.get((name, result), [])) for result in ("better", "worse")))
        for name in sorted({row["item"] for row in facts})
    )
    return [row for row in rows if any(row[1:])]


def _listed(types: list[str]) -> str:
    more = len(types) - TYPES_SHOWN
    return ", ".join(types[:TYPES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def margin(row: Row) -> float | None:
    """Return the smallest margin within which two are equivalent; None without an interval."""
    if row["ci_low"] is None or row["ci_high"] is None:
        return None
    return margin_shown(row["value"], standard_error(row["ci_low"], row["ci_high"]))
