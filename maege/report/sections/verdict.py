"""The first screen: which metrics can be trusted for what, and how sure that is."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from maege.numbers import estimate
from maege.report.exhibits import Answer, Column, Exhibit, Row, Section, Words, numbered
from maege.report.marts import Marts, sql
from maege.report.pictures import MOST_TIED, PALE, Chart, beside, estimates

NAMED = 6


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

    def of(self, row: Row) -> Row:
        """Return the estimate of the row's metric."""
        return {"value": row[self.value], "ci_low": row[self.low], "ci_high": row[self.high]}


TASKS = (
    Task(
        "Order corrections of one sentence", "sentences", "kendall_tau", "ci_low", "ci_high", 0,
        "Kendall's tau",
    ),
    Task(
        "Rank corpora, as for systems of a shared task", "corpora", "rho_median", "rho_low",
        "rho_high", 0, "Spearman's rho, median and range of draws",
        "ranks corpora of known quality",
    ),
    Task(
        "Notice that an edit is wrong", "wrong edits", "agreement", "agreement_low",
        "agreement_high", 0.5, "share of pairs, chance .50",
    ),
    Task(
        "Agree with human judges about systems", "judges", "pearson_r", "pearson_ci_low",
        "pearson_ci_high", 0, "Pearson's r", "agrees with judges",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Standing:
    """The metrics of one task: the best, those like it, those no better than chance."""

    task: Task
    best: Row
    like_best: list[str]
    no_better: list[str]


def section(marts: Marts) -> Section:
    """Return the verdict in words, and one picture of all metrics and tasks."""
    rows = [row for row in marts.ask("verdict") if _is_known(row)]
    alike = _alike(marts)
    words, answers = [], []
    for (corpus, mode), group in groupby(rows, lambda row: (row["corpus"], row["mode"])):
        metrics = list(group)
        standings = [
            standing for task in TASKS if (standing := _standing(task, metrics, alike)) is not None
        ]
        words.append(Words(_summary(standings, metrics), corpus, mode))
        answers += [_answer(standing, corpus, mode) for standing in standings]
    _sort(rows)
    exhibit = Exhibit(
        "trust",
        "Which metrics can be trusted for what?",
        _description(rows),
        sql("verdict"),
        _columns(rows),
        rows,
        _chart(rows) if rows else None,
        note="Dots with 95 % intervals, dashed lines at chance. Pale: no place, because most pairs "
        "are ties (which tau counts as agreement) or have no scores.",
    )
    if not rows:
        words = [Words(("No metric has scores at corrections of known quality, or judgments.",))]
    return Section(
        "verdict",
        "Which metric should I use, and how sure is that?",
        tuple(words),
        (exhibit,) if rows else (),
        tuple(answers),
    )


def _is_known(row: Row) -> bool:
    return any(row[task.value] is not None for task in TASKS)


def _tasks_in(rows: list[Row]) -> list[Task]:
    return [task for task in TASKS if any(row[task.value] is not None for row in rows)]


def _alike(marts: Marts) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for row in marts.ask("not_told_apart_sentences"):
        found.setdefault((row["corpus"], row["mode"]), set()).add(row["metric"])
    return found


def _standing(
    task: Task, rows: list[Row], alike: dict[tuple[str, str], set[str]]
) -> Standing | None:
    scored = [row for row in rows if row[task.value] is not None]
    judged = [row for row in scored if row["metric_group"] != "chance" and _has_place(task, row)]
    if not judged:
        return None
    best = max(judged, key=_value_of(task))
    ranked = sorted(judged, key=_value_of(task), reverse=True)
    tested = alike.get((best["corpus"], best["mode"])) if task is TASKS[0] else None
    like = [
        row["metric"]
        for row in ranked
        if row is not best
        and (row["metric"] in tested if tested is not None else _overlaps(task, row, best))
    ]
    by_chance = _by_chance(task, scored)
    no_better = [row["metric"] for row in ranked if _low(task, row) <= by_chance]
    return Standing(task, best, like, no_better)


def _has_place(task: Task, row: Row) -> bool:
    return task is not TASKS[0] or row["no_place"] is None


def _is_tied(row: Row) -> bool:
    """Whether the row is like one score for everything, whose tau of 1 says nothing of chance."""
    return row["tied_share"] is not None and row["tied_share"] > MOST_TIED


def _value_of(task: Task) -> Callable[[Row], float]:
    return lambda row: float(row[task.value])


def _low(task: Task, row: Row) -> float:
    low = row[task.low]
    return float(row[task.value] if low is None else low)


def _overlaps(task: Task, row: Row, best: Row) -> bool:
    high = row[task.high]
    return float(row[task.value] if high is None else high) >= _low(task, best)


def _by_chance(task: Task, rows: list[Row]) -> float:
    """Return the most that scores without a metric get."""
    values = [
        row[task.value]
        for row in rows
        if row["metric_group"] == "chance" and not (task is TASKS[0] and _is_tied(row))
    ]
    return float(max([task.chance, *values]))


def _summary(standings: list[Standing], rows: list[Row]) -> tuple[str, ...]:
    if not standings:
        return ("Nothing is there to judge metrics by.",)
    counted = {
        row["metric"]: [s for s in standings if row["metric"] in (s.best["metric"], *s.like_best)]
        for row in rows
    }
    most = max(map(len, counted.values()))
    first = [name for name, among in counted.items() if len(among) == most]
    if most == len(standings):
        lead = f"{_listed(first)} {'is' if len(first) == 1 else 'are'} at the top, or not told "
        lead += f"apart from it, in all {len(standings)} tasks below."
    else:
        lead = f"No metric is at the top of all {len(standings)} tasks below. {_listed(first)} "
        lead += f"{'is' if len(first) == 1 else 'are'} at the top, or not told apart from it, "
        lead += f"in {most} of them ({', '.join(s.task.short for s in counted[first[0]])})."
        if len(first) > 1:
            lead = lead.rsplit(" (", 1)[0] + "."
    lead = f"{_shared_task(standings)} {lead}".strip()
    weak = sorted({name for s in standings for name in s.no_better})
    if weak:
        return lead, f"No better than chance in at least one: {_listed(weak)}."
    return (lead, "All are better than chance in all of them.")


def _shared_task(standings: list[Standing]) -> str:
    """Return what to take where systems are to be ranked."""
    ranking = [s for s in standings if s.task.value in ("rho_median", "pearson_r")]
    if not ranking:
        return ""
    said = " and ".join(
        f"{s.best['metric']} {s.task.does} best ({_symbol(s.task)} {estimate(s.task.of(s.best))})"
        for s in ranking
    )
    both = [s.best["metric"] for s in ranking if len(ranking) > 1]
    rest = set(ranking[0].like_best).intersection(*(s.like_best for s in ranking[1:]))
    alike = f" {len(rest)} other{'' if len(rest) == 1 else 's'} cannot be told apart from "
    alike += f"{'them' if len(set(both)) > 1 else 'it'}." if rest else ""
    return f"For a shared task: {said}.{alike if rest else ''}"


def _symbol(task: Task) -> str:
    return "r" if task.value == "pearson_r" else "rho"


def _answer(standing: Standing, corpus: str, mode: str) -> Answer:
    task, best = standing.task, standing.best
    about = task.measure
    if task.value == "pearson_r":
        about += f"; {best['n_systems']} systems, judgments {best['judgment_set']}"
        about += f", references {best['reference_set']}"
    return Answer(
        task.name,
        best["metric"],
        estimate(task.of(best)),
        about,
        _listed(standing.like_best) or "none",
        _listed(standing.no_better) or "none",
        corpus,
        mode,
    )


def _listed(names: list[str]) -> str:
    """Return the names as a list in a sentence; of many, the first and how many more."""
    if len(names) > NAMED:
        return ", ".join(names[:NAMED]) + f" and {len(names) - NAMED} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _sort(rows: list[Row]) -> None:
    """Put the metrics with the best mean place over the tasks first, chance last."""
    places: dict[tuple[str, str, str], list[int]] = {}
    for task in TASKS:
        scored = [row for row in rows if row[task.value] is not None and _has_place(task, row)]
        scored.sort(key=lambda row: (row["corpus"], row["mode"], -row[task.value]))
        for _, group in groupby(scored, lambda row: (row["corpus"], row["mode"])):
            for place, row in enumerate(group):
                places.setdefault((row["corpus"], row["mode"], row["metric"]), []).append(place)

    def mean_place(row: Row) -> tuple[bool, float, str]:
        mine = places.get((row["corpus"], row["mode"], row["metric"]), [999])
        return row["metric_group"] == "chance", sum(mine) / len(mine), row["metric"]

    rows.sort(key=mean_place)
    rows.sort(key=lambda row: (row["corpus"], row["mode"] != "paper"))
    numbered(rows)


def _columns(rows: list[Row]) -> tuple[Column, ...]:
    tasks = (Column(t.value, t.short, "value", t.low, t.high) for t in _tasks_in(rows))
    return (Column("metric", "metric"), Column("metric_group", "reads"), *tasks)


def _chart(rows: list[Row]) -> Chart:
    titles = {
        "kendall_tau": "sentences: tau",
        "rho_median": "corpora: rho",
        "agreement": "wrong edits noticed",
        "pearson_r": "judges: r",
    }
    return beside(
        *(
            estimates(
                task.value,
                task.low,
                task.high,
                titles[task.value],
                chance=task.chance,
                labels=number == 0,
                faint=PALE if task is TASKS[0] else "false",
            )
            for number, task in enumerate(_tasks_in(rows))
        )
    )


def _description(rows: list[Row]) -> str:
    tasks = ", ".join(task.name.lower() for task in _tasks_in(rows))
    return (
        "One line a metric, best mean place first; beside each other, a dot with its interval for "
        f"each task: {tasks}. A dashed line marks chance. The table below has the same numbers."
    )
