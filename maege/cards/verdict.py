"""The verdict of a card in plain sentences, and comparisons with other metrics."""

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from maege.analysis.best_metrics.measured import BETTER, WORSE
from maege.analysis.statistics.resampling import margin_shown, standard_error
from maege.cards.facts import Card
from maege.names import in_a_sentence
from maege.numbers import format_number, format_share, format_signed
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
    """Return the verdict, a sentence each; nothing if no task has a result for the metric."""
    own = [row for row in card.tasks if row["metric"] == card.metric]
    if not own:
        return []
    judged = [row for row in own if row["too_few"] is None]
    best = [row for row in judged if row["in_best_set"]]
    separated = [row for row in best if not _hardly_separates(card, row)]
    good = [row for row in judged if row["verdict"] == BETTER and not row["in_best_set"]]
    worse = [row for row in judged if row["verdict"] == WORSE]
    bad = [row for row in judged if row not in best and row not in good and row not in worse]
    groups = (
        (separated, "can be trusted for {}. No metric is significantly better at {it}."),
        (
            [row for row in best if row not in separated],
            "is better than chance at {}. Most metrics are statistically tied for best at {it}.",
        ),
        (good, "is better than chance at {}, but significantly worse than the best metric."),
        (bad, "cannot be trusted for {}. It is not better than chance at {it}."),
        (worse, "cannot be trusted for {}. It is worse than chance at {it}."),
    )
    sentences = [
        f"{card.metric} {form}".replace("{it}", "it" if len(rows) == 1 else "these").format(
            _tasks(rows)
        )
        for rows, form in groups
        if rows
    ]
    few = [row for row in own if row["too_few"] is not None]
    if few:
        sentences.append(f"There is too little data for a verdict on {_tasks(few)}.")
    return [*sentences, *_ties(card), *_compared(card)]


def _hardly_separates(card: Card, row: Row) -> bool:
    competing = [
        candidate
        for candidate in card.tasks
        if _key(candidate) == _key(row) and candidate["too_few"] is None
    ]
    tied = sum(bool(candidate["in_best_set"]) for candidate in competing)
    return tied > MOST_TIED * len(competing) > 1


def _key(row: Row) -> tuple[str, str, str | None]:
    return row["level"], row["corpus"], row["judgment_set"]


def _tasks(rows: list[Row]) -> str:
    """Return the tasks of the rows, each with its judgment sets in parentheses."""
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


def _ties(card: Card) -> Iterator[str]:
    for row in card.of("sentence"):
        is_meant = (row["measure"], row["condition"]) == ("tied_share", "random_source")
        if is_meant and row["value"] >= MANY_TIES:
            yield (
                f"{card.metric} gives both texts the same score in {format_share(row['value'])} of "
                "the pairs of corrections; a tie counts as half."
            )


def _compared(card: Card) -> Iterator[str]:
    """Yield how the metric compares with the others at ordering corrections of one sentence."""
    by_result: dict[str, list[str]] = {result: [] for result in COMPARED.values()}
    for row in card.of("comparisons"):
        is_meant = row["condition"] == "random_source" and row["item"] in card.against
        if is_meant and row["text"] in COMPARED:
            by_result[COMPARED[row["text"]]].append(_difference(row))
    parts = [f"{result} {in_a_sentence(names)}" for result, names in by_result.items() if names]
    if parts:
        yield f"At ordering corrections of one sentence, {card.metric} is {'; '.join(parts)}."


def _difference(row: Row) -> str:
    """Return the other metric with the difference, and why a tie may have an interval without 0."""
    parts = [f"tau difference {format_signed(row['value'], 2)}"]
    if row["ci_low"] is not None and row["ci_high"] is not None:
        parts[0] += (
            f", 95 % CI {format_signed(row['ci_low'], 2)} to {format_signed(row['ci_high'], 2)}"
        )
        if row["text"] == TIED and not row["ci_low"] <= 0 <= row["ci_high"]:
            parts.append("not significant after correction for all pairs of metrics")
    return f"{row['item']} ({'; '.join(parts)})"


def compared_rows(card: Card) -> list[dict[str, Any]]:
    """Return a row per task with the estimates of the metric and those that it is compared with."""
    compared = [name for name in card.against if any(row["metric"] == name for row in card.tasks)]
    task_rows = {(_key(row), row["metric"]): row for row in card.tasks}
    names = (card.metric, *compared)
    return [
        {
            "names": names,
            "label": _label(row),
            "interval": _interval(row),
            "cells": [_cell(task_rows.get((_key(row), name))) for name in names],
        }
        for row in card.tasks
        if row["metric"] == card.metric and compared
    ]


def _interval(row: Row) -> str:
    if row["ci_low"] is None or row["ci_high"] is None:
        return ""
    return f"[{_number(row, row['ci_low'])}, {_number(row, row['ci_high'])}]"


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
        (name, *(_in_a_list(types.get((name, result), [])) for result in ("better", "worse")))
        for name in sorted({row["item"] for row in facts})
    )
    return [row for row in rows if any(row[1:])]


def _in_a_list(types: list[str]) -> str:
    """Return the first error types and the number of the others."""
    more = len(types) - TYPES_SHOWN
    return ", ".join(types[:TYPES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def margin(row: Row) -> float | None:
    """Return the smallest margin within which two are equivalent; None without an interval."""
    if row["ci_low"] is None or row["ci_high"] is None:
        return None
    return margin_shown(row["value"], standard_error(row["ci_low"], row["ci_high"]))
