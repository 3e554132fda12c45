"""Agreement of metrics with human judgments, for every question in the judgment sets."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from maege.analysis.metrics.own.declared import CHANCE
from maege.report.exhibits import Row
from maege.report.marts import Marts
from maege.report.templates import html

SMALL = "chance_small_edit"
LESSONS = 6


def rows(marts: Marts, judged: list[Row]) -> list[Row]:  # noqa: ARG001 - as the others
    """Remove the corpus: the rows belong to all corpora of the page."""
    for row in judged:
        del row["corpus"]
    return judged


def values(marts: Marts) -> dict[str, Any]:
    """Return the lessons from the judgments, and tables of metrics by questions."""
    judged = marts.ask("people")
    n_left = LESSONS
    lessons = {}
    kinds = {"opposite": _opposite_aspects, "pooled": _pooled, "reversed": _reversed_orders}
    for name, find in kinds.items():
        lessons[name] = list(find(judged))[:n_left]
        n_left -= len(lessons[name])
    sets = groupby(judged, lambda row: row["judgment_set"])
    tables = {name: _table(list(group)) for name, group in sets}
    return {**lessons, "html": html("people.html.j2", tables=tables)}


def _table(judged: list[Row]) -> dict[str, Any]:
    metrics = {row["metric"] for row in judged}
    return {
        "ceilings": {row["question"]: row["ceiling"] for row in judged},
        "metrics": sorted(metrics, key=lambda metric: (metric.startswith(CHANCE), metric)),
        "cells": {(row["metric"], row["question"]): row for row in judged},
    }


def _groups(judged: Iterable[Row], *fields: str) -> Iterator[tuple[list[str], list[Row]]]:
    """Yield the rows with the same values of the fields, in the order of these values."""

    def key(row: Row) -> list[str]:
        return [row[field] or "" for field in fields]

    for values, group in groupby(sorted(judged, key=key), key):
        yield values, list(group)


def _best_first(judged: list[Row]) -> list[Row]:
    return sorted(judged, key=lambda row: -row["estimate"])


def _pooled(judged: list[Row]) -> Iterator[dict[str, Any]]:
    """Yield tasks whose best metric within items is one of the worst over all outputs."""
    rated = [row for row in judged if row["rank_low"] is not None]
    for (name, task, aspect), group in _groups(rated, "judgment_set", "task", "aspect"):
        within = _best_first([row for row in group if row["level"] == "within_item"])
        pooled = _best_first([row for row in group if row["level"] == "pooled"])
        if not within or not pooled:
            continue
        metrics = [row["metric"] for row in pooled]
        place = metrics.index(within[0]["metric"]) if within[0]["metric"] in metrics else 0
        if 3 * place >= 2 * len(pooled):
            yield {
                "name": name, "task": task, "aspect": aspect, "best": within[0],
                "rank": place + 1, "n": len(pooled), "estimate": pooled[place]["estimate"],
            }  # fmt: skip


def _opposite_aspects(judged: list[Row]) -> Iterator[dict[str, Any]]:
    """Yield tasks in which people prefer small changes for one aspect, and large for another."""
    small = [
        row
        for row in judged
        if row["metric"] == SMALL and row["level"] in ("within_item", "outputs") and row["aspect"]
    ]
    for (name, task), group in _groups(small, "judgment_set", "task"):
        most, *_, least = [*(ordered := _best_first(group)), ordered[-1]]
        if least["ci_high"] and most["ci_low"] and least["ci_high"] < 0.5 < most["ci_low"]:
            yield {"name": name, "task": task, "most": most, "least": least}


def _reversed_orders(judged: list[Row]) -> Iterator[dict[str, Any]]:
    """Yield aspects for which the best metric of one task is in the lower half of another task."""
    rated = [row for row in judged if row["rank_low"] is not None and row["level"] == "within_item"]
    for (name, aspect), group in _groups(rated, "judgment_set", "aspect"):
        orders = {
            task: [row["metric"] for row in _best_first(rows)]
            for (task,), rows in _groups(group, "task")
        }
        share, metric, task, other = max(
            (other_order.index(order[0]) / len(other_order), order[0], task, other)
            for task, order in orders.items()
            for other, other_order in orders.items()
            if order[0] in other_order
        )
        if share >= 0.5:
            yield {
                "name": name, "aspect": aspect, "metric": metric, "task": task, "other": other,
                "rank": orders[other].index(metric) + 1, "n": len(orders[other]),
            }  # fmt: skip
