"""The answer to each task of metrics: which metrics are statistically tied for best."""

from dataclasses import dataclass
from itertools import groupby

from maege.analysis.best_metrics.measured import NOT_BETTER, WORSE
from maege.analysis.statistics.resampling import (
    LEAST_PAIRS,
    LEAST_SENTENCES,
    LEAST_SYSTEMS,
)
from maege.names import in_a_sentence
from maege.numbers import estimate
from maege.report.exhibits import Answer, Bar, Row
from maege.tasks import TASKS, Task

NAMED = 6
# Where more metrics than this share of all could be the best, hardly anything is known.
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
class Standing:
    """The metrics that compete at a task, the ones that come first most often first."""

    task: Task
    rows: list[Row]

    @property
    def best(self) -> list[str]:
        """The metrics that cannot be told from the best; none where there is too little."""
        return [row["metric"] for row in self.rows if row["in_best_set"]]

    @property
    def competing(self) -> list[Row]:
        """The metrics of which there is enough to tell."""
        return [row for row in self.rows if row["too_few"] is None]

    @property
    def too_few(self) -> str | None:
        """What there is too little of, of every metric."""
        return None if self.competing else str(self.rows[0]["too_few"])

    @property
    def tells_little(self) -> bool:
        """Whether most metrics could be the best."""
        return self.too_few is not None or len(self.best) > MOST_ALIKE * len(self.competing) > 1

    def answer(self) -> Answer:
        """Return what the first screen says to the task."""
        first, task = self.rows[0], self.task
        judges = f", judgments {first['judgment_set']}" if first["judgment_set"] else ""
        return Answer(
            task.title,
            self._said(),
            f"{task.measure}; {first['n']:,} {task.unit}{judges}",
            tuple(
                Bar(row["metric"], row["best_share"], estimate(row | {"value": row["estimate"]}))
                for row in self.rows[:NAMED]
                if row["in_best_set"]
            ),
            self._rest(),
            first["corpus"],
        )

    def _said(self) -> str:
        if self.too_few:
            return "Too little data"
        best = self.best
        if not best:
            return "No metric is better than chance"
        if len(best) == 1:
            return best[0]
        tied = f"{len(best)} of {len(self.competing)} metrics are statistically tied for best"
        return f"Too little data: {tied}" if self.tells_little else tied

    def _rest(self) -> str:
        """Return who else is in the set, or what would be enough."""
        if self.too_few:
            return f"A verdict needs at least {ENOUGH[self.too_few]}."
        named = {row["metric"] for row in self.rows[:NAMED] if row["in_best_set"]}
        others = [name for name in self.best if name not in named]
        said = [f"And {listed(others)}."] if others else []
        return " ".join([*said, *self._enough(), *self._without_merit()])

    def _without_merit(self) -> list[str]:
        """Return the metrics that are not better than chance, and those that are worse."""
        named = (
            (verdict, [row["metric"] for row in self.competing if row["verdict"] == verdict])
            for verdict in (NOT_BETTER, WORSE)
        )
        return [f"{verdict.capitalize()}: {listed(names)}." for verdict, names in named if names]

    def _enough(self) -> list[str]:
        """Return how much data would separate the highest estimate from one other, and from all."""
        highest, *others = sorted(self.competing, key=lambda row: -row["estimate"])
        # What a test of these two alone would tell already is left to the whole set.
        rivals = sorted(
            (row["n_needed"], row["metric"])
            for row in others
            if row["in_best_set"] and (row["n_needed"] or 0) > row["n"]
        )
        if not rivals or not highest["in_best_set"]:
            return []
        (least, first), (most, last) = rivals[0], rivals[-1]
        said = (
            f"About {_round(least)} {self.task.unit} would separate {first} from "
            f"{highest['metric']}"
        )
        return [f"{said}; {_round(most)}, {last}." if len(rivals) > 1 else f"{said}."]


def standings(rows: list[Row]) -> list[Standing]:
    """Return the standings of one corpus, from rows in the order of tasks and judgment sets."""
    return [
        Standing(TASKS[level], list(group))
        for (level, _), group in groupby(rows, lambda row: (row["level"], row["judgment_set"]))
    ]


def listed(names: list[str]) -> str:
    """Return the names as a list in a sentence; of many, the first and how many more."""
    if len(names) > NAMED:
        return ", ".join(names[:NAMED]) + f" and {len(names) - NAMED} more"
    return in_a_sentence(names)


def _round(number: int) -> str:
    """Return two digits of a number that is an estimate itself."""
    digits = max(0, len(str(number)) - 2)
    return f"{round(number, -digits):,}"
