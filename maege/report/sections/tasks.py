"""Tasks of metrics, and which metrics are statistically tied for best at each task."""

from dataclasses import dataclass
from itertools import groupby

from maege.analysis.best_metrics.measured import NOT_BETTER, WORSE
from maege.analysis.statistics.resampling import LEAST_PAIRS, LEAST_SENTENCES, LEAST_SYSTEMS
from maege.names import in_a_sentence
from maege.numbers import estimate
from maege.report.exhibits import Answer, Bar, Row
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

    @property
    def too_few(self) -> str | None:
        """The kind of data that is too scarce for every metric; empty if none is."""
        return None if self.competing else str(self.rows[0]["too_few"])

    @property
    def tells_little(self) -> bool:
        """Whether most metrics could be the best."""
        return self.too_few is not None or len(self.best) > MOST_ALIKE * len(self.competing) > 1

    def answer(self, variant: str = "") -> Answer:
        """Return the box of the task for the first screen, shown for a value of the filter."""
        first, task = self.rows[0], self.task
        judges = f", judgments {first['judgment_set']}" if first["judgment_set"] else ""
        return Answer(
            task.title,
            self._headline(),
            f"{task.measure}; {first['n']:,} {task.unit}{judges}",
            tuple(
                Bar(row["metric"], row["best_share"], estimate(row | {"value": row["estimate"]}))
                for row in self.rows[:NAMED]
                if row["in_best_set"]
            ),
            self._details(),
            first["corpus"],
            variant,
        )

    def _headline(self) -> str:
        if self.too_few:
            return "Too little data"
        best = self.best
        if not best:
            return "No metric is better than chance"
        if len(best) == 1:
            return best[0]
        tied = f"{len(best)} of {len(self.competing)} metrics are statistically tied for best"
        return f"Too little data: {tied}" if self.tells_little else tied

    def _details(self) -> str:
        """Return the other metrics of the set, and how much data would be needed."""
        if self.too_few:
            return f"A verdict needs at least {ENOUGH[self.too_few]}."
        named = {row["metric"] for row in self.rows[:NAMED] if row["in_best_set"]}
        unnamed = [name for name in self.best if name not in named]
        tied = [f"And {in_a_sentence(unnamed, NAMED)}."] if unnamed else []
        return " ".join([*tied, *self._data_needed(), *self._not_better_than_chance()])

    def _not_better_than_chance(self) -> list[str]:
        """Return the metrics that are not better than chance, and those that are worse."""
        named = (
            (verdict, [row["metric"] for row in self.competing if row["verdict"] == verdict])
            for verdict in (NOT_BETTER, WORSE)
        )
        return [
            f"{verdict.capitalize()}: {in_a_sentence(names, NAMED)}."
            for verdict, names in named
            if names
        ]

    def _data_needed(self) -> list[str]:
        """Return how much data would separate the best estimate from one metric, and from all."""
        highest, *competitors = sorted(self.competing, key=lambda row: -row["estimate"])
        # Exclude pairs that a test of two metrics would separate already; the set tests all.
        rivals = sorted(
            (row["n_needed"], row["metric"])
            for row in competitors
            if row["in_best_set"] and (row["n_needed"] or 0) > row["n"]
        )
        if not rivals or not highest["in_best_set"]:
            return []
        (least, first), (most, last) = rivals[0], rivals[-1]
        needed = (
            f"About {_round(least)} {self.task.unit} would separate {first} from "
            f"{highest['metric']}"
        )
        return [f"{needed}; {_round(most)}, {last}." if len(rivals) > 1 else f"{needed}."]


def task_results(rows: list[Row]) -> list[TaskResult]:
    """Return the results of one corpus, from rows in the order of tasks and judgment sets."""
    return [TaskResult(TASKS[group[0]["level"]], group) for group in _by_task(rows)]


def without_variants(rows: list[Row]) -> list[Row]:
    """Return the rows without variants of metrics, except for those that are better.

    A variant is better if it could be the best metric of the task and the standard one could not.
    """
    selected = []
    for group in _by_task(rows):
        best = {row["metric"] for row in group if row["in_best_set"]}
        selected += [
            row
            for row in group
            if row["variant"] == "standard"
            or (row["metric"] in best and VARIANT_OF[row["metric"]] not in best)
        ]
    return selected


def _by_task(rows: list[Row]) -> list[list[Row]]:
    groups = groupby(rows, lambda row: (row["level"], row["judgment_set"]))
    return [list(group) for _, group in groups]


def _round(number: int) -> str:
    """Return the number rounded to two significant digits, because it is an estimate."""
    digits = max(0, len(str(number)) - 2)
    return f"{round(number, -digits):,}"
