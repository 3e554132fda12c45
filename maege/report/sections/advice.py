"""What to take for a shared task, in words: who ranks systems well and is not easily fooled."""

from collections.abc import Sequence

from maege.numbers import estimate
from maege.report.exhibits import Row
from maege.report.sections.systems import TRICKS
from maege.report.sections.tasks import Standing, listed, overlap, value_of

# The tasks in which systems are ranked, and how their numbers are called.
RANKING = {"draws_median": "rho", "pearson_r": "r"}
# Whoever is fooled puts an output that nobody should want above more systems than this.
FOOLED = 0.5
SCALE = "(1: always right, 0: chance; in brackets 95 % of draws or resamples.)"


def advice(standings: Sequence[Standing], rows: list[Row], tricks: list[Row]) -> tuple[str, ...]:
    """Return what to take for a shared task, what does as well, and what only seems to do better.

    `rows` are the metrics of a corpus and mode, `tricks` the outputs made by rule of the corpus;
    where there are none of these, nothing is said of who is fooled.
    """
    ranking = [each for each in standings if each.task.value in RANKING]
    if not ranking:
        return ()
    worst = {row["metric"]: row for row in sorted(tricks, key=_beats)}
    judged = [row for row in rows if all(_is_judged(each, row) for each in ranking)]
    # Few judged systems may tell no metric from chance: then better than it at corpora has to do.
    for beaten in (ranking, ranking[:1]):
        sound = [row for row in judged if not any(_is_like_chance(s, row) for s in beaten)]
        hard = [row for row in sound if not tricks or not _is_fooled(worst.get(row["metric"]))]
        if hard:
            break
    else:
        return (
            "For a shared task no metric can be named: none ranks better than chance and is hard "
            "to fool.",
            *_seeming(ranking, worst),
        )
    places = _mean_places(ranking, sound)
    chosen, *others = sorted(hard, key=lambda row: places[row["metric"]])
    does = [_does(each, chosen) for each in ranking]
    if tricks:
        does.append("no output made by rule scores above most systems")
    return (
        f"For a shared task, take {chosen['metric']}. By it, {listed(does)}. {SCALE}",
        _alike([row for row in others if all(overlap(s.task, row, chosen) for s in ranking)]),
        *_seeming(ranking, worst),
    )


def _alike(rows: list[Row]) -> str:
    names = listed([row["metric"] for row in rows]) or "No other"
    return f"{names} {'do' if len(rows) > 1 else 'does'} as well, as far as this corpus can tell."


def _beats(trick: Row) -> tuple[float, int]:
    """Return what the worst trick has most of; of those that do alike, the first is the worst."""
    return trick["beaten_share"], -list(TRICKS).index(trick["trick"])


def _is_fooled(trick: Row | None) -> bool:
    """Whether an output made by rule scores above most systems, or nobody has tried."""
    return trick is None or trick["beaten_share"] > FOOLED


def _is_judged(standing: Standing, row: Row) -> bool:
    return row["metric_group"] != "chance" and row[standing.task.value] is not None


def _is_like_chance(standing: Standing, row: Row) -> bool:
    return row["metric"] in standing.no_better


def _does(standing: Standing, row: Row) -> str:
    said = f"{standing.task.does} with {_estimate(standing, row)}"
    return f"{said} (chance comes as far)" if _is_like_chance(standing, row) else said


def _mean_places(ranking: list[Standing], rows: list[Row]) -> dict[str, float]:
    """Return the mean place of each metric among the rows over the tasks."""
    sums = dict.fromkeys((row["metric"] for row in rows), 0.0)
    for each in ranking:
        for place, row in enumerate(sorted(rows, key=value_of(each.task), reverse=True)):
            sums[row["metric"]] += place / len(ranking)
    return sums


def _estimate(standing: Standing, row: Row) -> str:
    return f"{RANKING[standing.task.value]} {estimate(standing.task.of(row))}"


def _seeming(ranking: list[Standing], worst: dict[str, Row]) -> tuple[str, ...]:
    """Return who comes first in a task and is fooled, with what."""
    fooled: dict[str, str] = {}
    for each in ranking:
        name = each.best["metric"]
        trick = worst.get(name)
        if trick is not None and _is_fooled(trick):
            fooled.setdefault(
                name,
                f"{name} ({_estimate(each, each.best)}; {TRICKS[trick['trick']]} scores above "
                f"{trick['n_beaten']} of {trick['n_systems']} systems)",
            )
    return (f"First, but easily fooled: {listed([*fooled.values()])}.",) if fooled else ()
