"""How metrics follow the ratings of each aspect: pooled, within items and by system."""

from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.judgments.rated import Rated, rating_rows
from maege.analysis.judgments.ratings import coefficients, one_against_rest
from maege.analysis.stored.judged_scores import scores_of_outputs
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        **dict.fromkeys(
            (
                "judgment_set",
                "task",
                "aspect",
                "level",
                "corpus",
                "reference_set",
                "metric",
            ),
            pa.string(),
        ),
        **dict.fromkeys(
            ("n", "n_items", "n_pairs", "n_concordant", "n_discordant", "n_tied"), pa.int32()
        ),
        **dict.fromkeys(
            (
                "pearson_r",
                "spearman_rho",
                "kendall_tau_b",
                "accuracy",
                "acc_eq",
                "epsilon",
                "ci_low",
                "ci_high",
                "ceiling",
            ),
            pa.float64(),
        ),
        "too_few": pa.string(),
    }
)
# Values of one thing by several people, or of nobody in particular.
SEVERAL = ("identified", "positional", "bag")


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per task, aspect, level, reference set and metric, chance among them."""
    chosen = (
        int(dbt.config.meta_get("bootstrap_samples")),
        float(dbt.config.meta_get("confidence_level")),
        int(dbt.config.meta_get("seed")),
    )
    judges = {
        (name, task): kind
        for name, task, kind in dbt.ref("stg_judged__tasks")
        .select("judgment_set, task, judges")
        .fetchall()
    }
    references = set(
        dbt.ref("stg_judged__systems")
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
            [any((name, system) in references for system in of_unit) for of_unit in systems]
        )
        ceiling = _ceiling(units, values) if judges[name, task] in SEVERAL else None
        for (corpus, reference_set, metric), by_output in scores[name].items():
            found = np.array([by_output.get(unit[:2], np.nan) for unit in units])
            if reference_set is not None:
                found[is_reference] = np.nan
            key = {
                "judgment_set": name,
                "task": task,
                "aspect": aspect,
                "corpus": corpus,
                "reference_set": reference_set,
                "metric": metric,
            }
            for row in rating_rows(rated, systems, found, *chosen):
                limit = {"ceiling": ceiling} if row["level"] == "pooled" else {}
                rows.append(key | row | limit)
    return rows_to_table(rows, SCHEMA)


def _values(
    dbt: Any,
) -> dict[tuple[str, str, str], dict[tuple[str, int, int, str], list[float]]]:
    """Return the values of each aspect, larger being better, by what was rated.

    What was rated is an item, an output, what was presented, and its systems.
    """
    ratings = dbt.ref("stg_judged__ratings").set_alias("ratings")
    aspects = dbt.ref("stg_judged__aspects").set_alias("aspects")
    joined = ratings.join(
        aspects,
        "ratings.judgment_set = aspects.judgment_set and ratings.task = aspects.task "
        "and ratings.aspect = aspects.aspect",
    )
    found: dict[tuple[str, str, str], dict[tuple[str, int, int, str], list[float]]] = {}
    for *key, item, output_id, presented, systems, value in (
        joined.order("ratings.judgment_set, ratings.task, ratings.aspect, path, line, slot")
        .select(
            "ratings.judgment_set, ratings.task, ratings.aspect, item, output_id, presented, "
            "systems, if(higher_is_better, value, -value)"
        )
        .fetchall()
    ):
        of_aspect = found.setdefault((key[0], key[1], key[2]), {})
        of_aspect.setdefault((item, output_id, presented, systems), []).append(value)
    return found


def _rated(
    units: list[tuple[str, int, int, str]], values: dict[tuple[str, int, int, str], list[float]]
) -> tuple[Rated, list[list[str]]]:
    numbers: dict[str, int] = {}
    rated = Rated(
        np.array([numbers.setdefault(unit[0], len(numbers)) for unit in units], np.int64),
        np.array([unit[1] for unit in units], np.int64),
        np.array([unit[2] for unit in units], np.int64),
        np.array([sum(values[unit]) / len(values[unit]) for unit in units]),
    )
    return rated, [[name for name in unit[3].split(",") if name] for unit in units]


def _ceiling(
    units: list[tuple[str, int, int, str]], values: dict[tuple[str, int, int, str], list[float]]
) -> float | None:
    """Return r of one value with the mean of the others of the same thing; None without others."""
    unit = [place for place, one in enumerate(units) for _ in values[one]]
    one, rest = one_against_rest(unit, [value for key in units for value in values[key]])
    if one.size < 2:
        return None
    r = coefficients(one, rest).pearson
    return None if np.isnan(r) else r
