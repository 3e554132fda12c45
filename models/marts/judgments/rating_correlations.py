"""How well metrics agree with the ratings of each aspect: pooled, within items and by system."""

from typing import Any

import numpy as np

from maege.analysis.judgments.ratings import (
    Rated,
    above_ceiling,
    ceiling_outcomes,
    coefficients,
    one_against_rest,
    pearson_interval,
    rating_rows,
)
from maege.analysis.rankings.significance import with_q_values
from maege.analysis.statistics.pair_agreement import RULES, agreement_of_outcomes
from maege.analysis.statistics.resampling import (
    LEAST_PAIRS,
    Integers,
    Intervals,
    cluster_weights,
    ratio_intervals,
    too_few,
)
from maege.analysis.stored.judgments import scores_of_outputs
from maege.analysis.stored.rows import contract_schema, rows_to_table

# Several values of one text, by different people or without names of judges. Values in a `bag`
# cannot be matched to judges across texts.
SEVERAL, IN_PLACES = ("identified", "positional", "bag"), ("identified", "positional")
# The rated text: item, output, number of the presentation, and its systems.
Unit = tuple[str, int, int, str]
# For each unit, the judge (or the position) of each value, and the value.
Values = dict[Unit, list[tuple[str, float]]]


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    sampling = (
        dbt.settings.bootstrap_samples,
        dbt.settings.confidence_level,
        dbt.settings.seed,
    )
    judges = {
        (name, task): kind
        for name, task, kind in dbt.source("raw", "judgment_tasks")
        .select("judgment_set, task, judges")
        .fetchall()
    }
    references = set(
        dbt.source("raw", "output_systems")
        .filter("is_reference")
        .select("judgment_set, system")
        .distinct()
        .fetchall()
    )
    scores = scores_of_outputs(dbt.ref("judged_scores"))
    rows: list[dict[str, Any]] = []
    for (name, task, aspect), values in _values(dbt).items():
        units = list(values)
        rated, systems = _rated(units, values)
        is_reference = np.array(
            [any((name, system) in references for system in listed) for listed in systems]
        )
        ceilings = _ceilings(rated.item, values, judges[name, task], *sampling)
        for (corpus, reference_set, metric), by_output in scores[name].items():
            unit_scores = np.array([by_output.get(unit[:2], np.nan) for unit in units])
            if reference_set is not None:
                unit_scores[is_reference] = np.nan
            names = ("judgment_set", "task", "aspect", "corpus", "reference_set", "metric")
            labels = (name, task, aspect, corpus, reference_set, metric)
            key = dict(zip(names, labels, strict=True))
            rows += [
                key | row | ceilings.get(row["level"], {})
                for row in rating_rows(rated, systems, unit_scores, *sampling)
            ]
    tested = with_q_values(rows, ("judgment_set", "task", "aspect", "level"))
    return rows_to_table(
        [row | {"above_ceiling": above_ceiling(row)} for row in tested], contract_schema(dbt)
    )


def _values(dbt: Any) -> dict[tuple[str, str, str], Values]:
    """Return the values of each aspect by rated text; larger is better.

    Values that were published as z-scores per judge are used as published.
    """
    ratings = dbt.source("raw", "ratings").set_alias("ratings")
    aspects = dbt.source("raw", "task_aspects").set_alias("aspects")
    joined = ratings.join(
        aspects,
        "ratings.judgment_set = aspects.judgment_set and ratings.task = aspects.task "
        "and ratings.aspect = aspects.aspect",
    )
    values: dict[tuple[str, str, str], Values] = {}
    for *key, _, _, _, item, output_id, presented, systems, judge, value in (
        joined.select(
            "ratings.judgment_set, ratings.task, ratings.aspect, path, line, slot, item, "
            "output_id, presented, systems, coalesce(judge, slot::varchar, ''), "
            "if(higher_is_better, 1, -1) * coalesce(published_z, value)"
        )
        .order("judgment_set, task, aspect, path, line, slot")
        .fetchall()
    ):
        aspect_values = values.setdefault((key[0], key[1], key[2]), {})
        aspect_values.setdefault((item, output_id, presented, systems), []).append((judge, value))
    return values


def _rated(units: list[Unit], values: Values) -> tuple[Rated, list[list[str]]]:
    numbers: dict[str, int] = {}
    rated = Rated(
        np.array([numbers.setdefault(unit[0], len(numbers)) for unit in units], np.int64),
        np.array([unit[1] for unit in units], np.int64),
        np.array([unit[2] for unit in units], np.int64),
        np.array([sum(value for _, value in values[u]) / len(values[u]) for u in units]),
    )
    return rated, [[name for name in unit[3].split(",") if name] for unit in units]


def _ceilings(
    item: Integers, values: Values, judges: str, n_samples: int, level: float, seed: int
) -> dict[str, dict[str, float]]:
    """Return the agreement of one value with the mean of the others of the same text, by level.

    Pooled, it is Pearson's r. Within items, it is the share of pairs with different ratings that
    the others order in the same way. It has an interval over items unless there are too few. Levels
    without other values are missing.
    """
    ratings = [
        (place, *single_ratings)
        for place, unit_ratings in enumerate(values.values())
        for single_ratings in unit_ratings
    ]
    if judges not in SEVERAL or not ratings:
        return {}
    unit = np.array([place for place, *_ in ratings])
    numbers = np.array([value for *_, value in ratings])
    weights = cluster_weights(int(item.max()) + 1, n_samples, seed)
    ceilings = {}
    has_others = np.bincount(unit)[unit] > 1
    if has_others.any():
        single_ratings, other_means = one_against_rest(unit, numbers)
        bounds = pearson_interval(
            item[unit[has_others]], single_ratings, other_means, weights, level
        )
        ceilings["pooled"] = (coefficients(single_ratings, other_means).pearson, bounds)
    if judges in IN_PLACES:
        _, judge = np.unique([name for _, name, _ in ratings], return_inverse=True)
        counts = ceiling_outcomes(item[unit], unit, judge, numbers)
        within_item = agreement_of_outcomes("ties_half", counts.sum(axis=0))
        rule = RULES["ties_half"]
        if within_item.n_pairs >= LEAST_PAIRS:
            bounds = ratio_intervals(counts @ rule.credit, counts @ rule.counts, weights, level)
            ceilings["within_item"] = (within_item.accuracy, bounds)
    return {
        name: {"ceiling": ceiling} | _bounds(bounds, weights.shape[1])
        for name, (ceiling, bounds) in ceilings.items()
        if not np.isnan(ceiling)
    }


def _bounds(bounds: Intervals, n_items: int) -> dict[str, float]:
    low, high = float(bounds.low[0]), float(bounds.high[0])
    if too_few(sentences=n_items) or not low < high:
        return {}
    return {"ceiling_ci_low": low, "ceiling_ci_high": high}
