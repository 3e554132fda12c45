"""The first screen: which metrics can be trusted for what, and how sure that is."""

from itertools import groupby

from maege.numbers import estimate
from maege.report.exhibits import Answer, Column, Exhibit, Row, Section, Words, numbered
from maege.report.marts import Marts, sql
from maege.report.pictures import PALE, Chart, beside, estimates
from maege.report.sections.advice import advice
from maege.report.sections.tasks import TASKS, Standing, Task, has_place, listed, standing_of

# What is written to be built in a minute, not to judge by.
SAMPLE = "sample"


def section(marts: Marts) -> Section:
    """Return the verdict in words, and one picture of all metrics and tasks."""
    rows = [row for row in marts.ask("verdict") if _is_known(row)]
    alike, tricks = _alike(marts), marts.ask("tricks")
    words, answers = [], []
    for (corpus, mode), group in groupby(rows, lambda row: (row["corpus"], row["mode"])):
        metrics = list(group)
        standings = [
            standing
            for task in TASKS
            if (standing := standing_of(task, metrics, alike)) is not None
        ]
        made = [row for row in tricks if row["corpus"] == corpus]
        lines = (*advice(standings, metrics, made), " ".join(_summary(standings, metrics)))
        words.append(Words((*_warning(corpus), *lines), corpus, mode))
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
        note="Dots with 95 % intervals, dashed lines at chance. Pale: no rank, because most pairs "
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


def _warning(corpus: str) -> tuple[str, ...]:
    if corpus != SAMPLE:
        return ()
    return ("The sample is small and invented: it shows how this page works, not how metrics do.",)


def _is_known(row: Row) -> bool:
    return any(row[task.value] is not None for task in TASKS)


def _tasks_in(rows: list[Row]) -> list[Task]:
    return [task for task in TASKS if any(row[task.value] is not None for row in rows)]


def _alike(marts: Marts) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for row in marts.ask("not_told_apart_sentences"):
        found.setdefault((row["corpus"], row["mode"]), set()).add(row["metric"])
    return found


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
        lead = f"{listed(first)} {'is' if len(first) == 1 else 'are'} at the top, or not told "
        lead += f"apart from it, in all {len(standings)} tasks below."
    else:
        lead = f"No metric is at the top of all {len(standings)} tasks below. {listed(first)} "
        lead += f"{'is' if len(first) == 1 else 'are'} at the top, or not told apart from it, "
        lead += f"in {most} of them ({', '.join(s.task.short for s in counted[first[0]])})."
        if len(first) > 1:
            lead = lead.rsplit(" (", 1)[0] + "."
    weak = sorted({name for s in standings for name in s.no_better})
    if weak:
        return lead, f"No better than chance in at least one: {listed(weak)}."
    return (lead, "All are better than chance in all of them.")


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
        listed(standing.like_best) or "none",
        listed(standing.no_better) or "none",
        corpus,
        mode,
    )


def _sort(rows: list[Row]) -> None:
    """Put the metrics with the best mean place over the tasks first, chance last."""
    places: dict[tuple[str, str, str], list[int]] = {}
    for task in TASKS:
        scored = [row for row in rows if row[task.value] is not None and has_place(task, row)]
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
        "kendall_tau_maege": "sentences: tau",
        "draws_median": "corpora: rho",
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
