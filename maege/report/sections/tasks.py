"""What metrics are used for, and who stands where in it: the best, those like it, chance."""

from collections.abc import Callable
from dataclasses import dataclass

from maege.report.exhibits import Row

NAMED = 6
SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Task:
    """What a metric is used for: the number that says how well, its interval, and chance."""

    name: str
    short: str
    value: str
    low: str
    high: str
    chance: float
    measure: str
    does: str = ""
    # The q-value of being a random metric, and what the middle of these gets.
    q_value: str | None = None
    by_chance: str | None = None

    def of(self, row: Row) -> Row:
        """Return the estimate of the row's metric."""
        return {"value": row[self.value], "ci_low": row[self.low], "ci_high": row[self.high]}


TASKS = (
    Task(
        "Order corrections of one sentence", "sentences", "kendall_tau_maege", "ci_low",
        "ci_high", 0, "Kendall's tau", q_value="kendall_tau_maege_q", by_chance="tau_chance",
    ),
    Task(
        "Rank corpora, as for systems of a shared task", "corpora", "draws_median", "draws_low",
        "draws_high", 0, "Spearman's rho, median and range of draws",
        "corpora of known quality are ranked", "draws_median_q", "draws_chance",
    ),
    Task(
        "Notice that an edit is wrong", "wrong edits", "agreement", "agreement_low",
        "agreement_high", 0.5, "share of pairs, chance .50", "", "agreement_q",
        "agreement_chance",
    ),
    Task(
        "Agree with human judges about systems", "judges", "pearson_r", "pearson_ci_low",
        "pearson_ci_high", 0, "Pearson's r", "systems are scored as by judges",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Standing:
    """The metrics of one task: the best, those like it, those no better than chance."""

    task: Task
    best: Row
    like_best: list[str]
    no_better: list[str]


def standing_of(
    task: Task, rows: list[Row], alike: dict[tuple[str, str], set[str]]
) -> Standing | None:
    """Return who stands where in the task, None where nobody is judged.

    `alike` has by corpus and mode the metrics that a test does not tell from the best at sentences.
    """
    scored = [row for row in rows if row[task.value] is not None]
    judged = [row for row in scored if row["metric_group"] != "chance" and has_place(task, row)]
    if not judged:
        return None
    best = max(judged, key=value_of(task))
    ranked = sorted(judged, key=value_of(task), reverse=True)
    tested = alike.get((best["corpus"], best["mode"])) if task is TASKS[0] else None
    like = [
        row["metric"]
        for row in ranked
        if row is not best
        and (row["metric"] in tested if tested is not None else overlap(task, row, best))
    ]
    no_better = [row["metric"] for row in ranked if _is_like_chance(task, row)]
    return Standing(task, best, like, no_better)


def has_place(task: Task, row: Row) -> bool:
    """Whether the task can be won by the row's metric: ties are no agreement."""
    return task is not TASKS[0] or row["no_rank"] is None


def value_of(task: Task) -> Callable[[Row], float]:
    """Return what rows are ordered by in the task."""
    return lambda row: float(row[task.value])


def low(task: Task, row: Row) -> float:
    """Return the lower end of the row's interval, or its value where it has none."""
    end = row[task.low]
    return float(row[task.value] if end is None else end)


def high(task: Task, row: Row) -> float:
    """Return the upper end of the row's interval, or its value where it has none."""
    end = row[task.high]
    return float(row[task.value] if end is None else end)


def overlap(task: Task, one: Row, other: Row) -> bool:
    """Whether the intervals of two rows share a number."""
    return high(task, one) >= low(task, other) and high(task, other) >= low(task, one)


def _is_like_chance(task: Task, row: Row) -> bool:
    """Whether random metrics get as much; where none were drawn, whether 0 lies in the interval."""
    if task.q_value is None or task.by_chance is None:
        return low(task, row) <= task.chance
    q, middle = row[task.q_value], row[task.by_chance]
    return q is None or bool(q >= SIGNIFICANT or row[task.value] <= middle)


def listed(names: list[str]) -> str:
    """Return the names as a list in a sentence; of many, the first and how many more."""
    if len(names) > NAMED:
        return ", ".join(names[:NAMED]) + f" and {len(names) - NAMED} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
