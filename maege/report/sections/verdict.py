"""The first screen: the metrics that could be the best at each task, with their uncertainty."""

from collections import Counter
from itertools import groupby
from typing import Any

from maege.report.exhibits import Row
from maege.report.marts import Marts
from maege.report.sections.tasks import TaskResult, task_results, without_variants

# The estimates in the picture, one per task.
ESTIMATES = ("kendall_tau_a", "draws_median", "agreement", "pearson_r")


def rows(marts: Marts, rows: list[Row]) -> list[Row]:
    """Return the metrics with an estimate, in the order of the picture."""
    return _sorted(_estimated(rows), marts.ask("best_metrics"))


def _estimated(rows: list[Row]) -> list[Row]:
    return [row for row in rows if any(row[name] is not None for name in ESTIMATES)]


def values(marts: Marts) -> dict[str, Any]:
    """Return the results of each corpus in words, and a box for each task."""
    groups, answers = [], []
    shown_metrics = _estimated(marts.ask("verdict"))
    self_referenced = {
        row["corpus"] for row in shown_metrics if row["no_rank"] == "self-referenced"
    }
    for corpus, group in groupby(marts.ask("best_metrics"), lambda row: row["corpus"]):
        everything = list(group)
        standard = without_variants(everything)
        choices = (
            {"standard": standard, "all": everything} if standard != everything else {"": standard}
        )
        for variant, shown in choices.items():
            results = task_results(shown)
            about = {"corpus": corpus, "variant": variant}
            groups.append(
                _summary(results) | about | {"self_referenced": corpus in self_referenced}
            )
            answers += [result.answer(variant) for result in results]
    return {"groups": groups, "answers": answers}


def _summary(results: list[TaskResult]) -> dict[str, Any]:
    """Return at how many tasks a metric is the best, and which are tied for best at all others."""
    sets = [result.best for result in results if not result.too_few]
    first, *others = sets or [[]]
    in_all = [name for name in first if all(name in best for best in others)]
    alone = Counter(best[0] for best in sets if len(best) == 1)
    tied = [name for name in in_all if name not in alone]
    return {"n": len(sets), "alone": alone, "in_all": in_all, "tied": tied}


def _sorted(rows: list[Row], best: list[Row]) -> list[Row]:
    """Return the metrics that come first most often over the tasks first, chance last."""
    shares: dict[tuple[str, str], list[float]] = {}
    for row in best:
        if row["best_share"] is not None:
            shares.setdefault((row["corpus"], row["metric"]), []).append(row["best_share"])

    def sort_key(row: Row) -> tuple[str, bool, float, str]:
        metric_shares = shares.get((row["corpus"], row["metric"]), [0.0])
        return (
            row["corpus"],
            row["metric_group"] == "chance",
            -sum(metric_shares) / len(metric_shares),
            row["metric"],
        )

    return sorted(rows, key=sort_key)
