"""The first screen: the metrics that could be the best at each task, with their uncertainty."""

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from maege.analysis.best_metrics.measured import NOT_BETTER, WORSE
from maege.analysis.statistics.resampling import LEAST_PAIRS, LEAST_SENTENCES, LEAST_SYSTEMS
from maege.cards.parts import read_sentences
from maege.numbers import estimate
from maege.report.exhibits import Answer, Bar, Row
from maege.report.marts import Marts
from maege.tasks import TASKS, VARIANT_OF, Task

NAMED = 6
# If more than this share of the metrics could be the best, there is too little data.
MOST_ALIKE = 0.5
ENOUGH = {
    "systems": f"{LEAST_SYSTEMS} systems",
    "sentences": f"{LEAST_SENTENCES} sentences",
    "pairs": f"{LEAST_PAIRS} pairs",
    "draws": "2 draws",
    "scores": "scores of nine tenths of what others have scored",
    "values": "a metric whose scores are not nearly all equal",
    "metrics": "2 metrics that compete",
}
# The estimates in the picture, one per task.
ESTIMATES = ("kendall_tau_a", "draws_median", "agreement", "pearson_r")


@dataclass(frozen=True)
class TaskResult:
    """The metrics of a task, ordered by how often they rank first."""

    task: Task
    rows: list[Row]

    @property
    def best(self) -> list[str]:
        """The metrics that could be the best; empty if there is too little data."""
        return [row["metric"] for row in self.rows if row["in_best_set"]]

    @property
    def competing(self) -> list[Row]:
        """The metrics with enough data for a comparison."""
        return [row for row in self.rows if row["too_few"] is None]

    def answer(self, variant: str = "") -> Answer:
        """Return the box of the task for the first screen, shown for a value of the filter."""
        first, task, competing = self.rows[0], self.task, self.competing
        judges = f", judgments {first['judgment_set']}" if first["judgment_set"] else ""
        named = [row for row in self.rows[:NAMED] if row["in_best_set"]]
        highest = max(competing, key=lambda row: row["estimate"], default=first)
        # Exclude pairs that a test of two metrics would separate already; the set tests all.
        rivals = sorted(
            (row["n_needed"], row["metric"])
            for row in competing
            if row is not highest and row["in_best_set"] and (row["n_needed"] or 0) > row["n"]
        )
        verdict, *rest = read_sentences(
            "report/page/answer.txt.j2",
            result=self,
            enough=ENOUGH.get(first["too_few"]),
            tells_little=len(self.best) > MOST_ALIKE * len(competing) > 1,
            unnamed=self.best[len(named) :],
            rivals=rivals if highest["in_best_set"] else [],
            highest=highest["metric"],
            rounded=_rounded,
            not_better=[
                (verdict, [row["metric"] for row in competing if row["verdict"] == verdict])
                for verdict in (NOT_BETTER, WORSE)
            ],
        )
        return Answer(
            task.title,
            verdict,
            f"{task.measure}; {first['n']:,} {task.unit}{judges}",
            tuple(
                Bar(row["metric"], row["best_share"], estimate(row | {"value": row["estimate"]}))
                for row in named
            ),
            "".join(rest),
            first["corpus"],
            variant,
        )


def task_results(rows: list[Row]) -> list[TaskResult]:
    """Return the results of one corpus, from rows in the order of tasks and judgment sets."""
    groups = groupby(rows, lambda row: (row["level"], row["judgment_set"]))
    return [TaskResult(TASKS[level], [*group]) for (level, _), group in groups]


def without_variants(rows: list[Row]) -> list[Row]:
    """Return the rows without variants of metrics, except for those that are better.

    A variant is better if it could be the best metric of the task and the standard one could not.
    """
    return [
        row
        for result in task_results(rows)
        for row in result.rows
        if row["variant"] == "standard"
        or (row["in_best_set"] and VARIANT_OF[row["metric"]] not in result.best)
    ]


def _rounded(number: int) -> str:
    """Return the number rounded to two significant digits, because it is an estimate."""
    digits = max(0, len(str(number)) - 2)
    return f"{round(number, -digits):,}"


def rows(marts: Marts, rows: list[Row]) -> list[Row]:
    """Return the metrics with an estimate: those that rank first most often first, chance last."""
    shares: dict[tuple[str, str], list[float]] = {}
    for row in marts.ask("best_metrics"):
        if row["best_share"] is not None:
            shares.setdefault((row["corpus"], row["metric"]), []).append(row["best_share"])

    def sort_key(row: Row) -> tuple[str, bool, float, str]:
        corpus, metric = row["corpus"], row["metric"]
        metric_shares = shares.get((corpus, metric), [0.0])
        mean_share = sum(metric_shares) / len(metric_shares)
        return corpus, row["metric_group"] == "chance", -mean_share, metric

    return sorted(_estimated(rows), key=sort_key)


def _estimated(rows: list[Row]) -> list[Row]:
    return [row for row in rows if any(row[name] is not None for name in ESTIMATES)]


def values(marts: Marts) -> dict[str, Any]:
    """Return the results of each corpus in words, and a box for each task."""
    groups, answers = [], []
    self_referenced = {
        row["corpus"]
        for row in _estimated(marts.ask("verdict"))
        if row["no_rank"] == "self-referenced"
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
    sets = [result.best for result in results if result.competing]
    first, *others = sets or [[]]
    in_all = [name for name in first if all(name in best for best in others)]
    alone = Counter(best[0] for best in sets if len(best) == 1)
    tied = [name for name in in_all if name not in alone]
    return {"n": len(sets), "alone": alone, "in_all": in_all, "tied": tied}
