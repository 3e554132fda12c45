"""Table 1 of the paper on judging without references, and its oracle: agreement with judges.

M2 and GLEU read 18 references: the two official ones, those of Bryant and Ng without the two that
are the official ones again, and the eight of Sakaguchi et al.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.metrics.base import FloatArray
from maege.analysis.papers.numbers import MADE_NUMBERS, MadeNumber
from maege.analysis.papers.referenceless import (
    BASELINES,
    PARTS,
    REFERENCE_SETS,
    Baseline,
    baseline,
    correlations,
    oracle,
    rows_of_parts,
)
from maege.analysis.stored.rows import rows_to_table, sql_list
from maege.analysis.stored.statistics import selected_signatures, summed_statistics

CORPUS = "conll14"


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per number, none while the corpus is missing."""
    released = (
        dbt.ref("released_human_scores")
        .filter("judgment_set = 'gjg15' and method = 'trueskill'")
        .order("system")
        .select("system, human_score")
        .fetchall()
    )
    systems = [system for system, _ in released]
    human = np.array([score for _, score in released])
    scores = _means(dbt.ref("ranked_systems"), systems)
    baselines = _baselines(dbt, systems)
    found = [*rows_of_parts(human, scores), *oracle(human, scores)]
    if scores or baselines:
        found.append(MadeNumber("text", "systems", "count", len(systems)))
    for row, _, reproduced, corrected in baselines:
        definition = correlations(human, corrected)
        found += [
            MadeNumber("table_1", row, name, value, definition[name])
            for name, value in correlations(human, reproduced).items()
        ]
    return rows_to_table(found, MADE_NUMBERS)


def _means(system_scores: Any, systems: list[str]) -> dict[str, FloatArray]:
    """Return by metric the means over sentences, of those metrics that all systems have."""
    names = [name for metrics in PARTS.values() for name in metrics]
    # They stand beside every reference set, and are the same beside each.
    rows = (
        system_scores.filter(
            f"corpus = '{CORPUS}' and reference_set = '{REFERENCE_SETS[0]}' "
            f"and metric in {sql_list(names)} and system in {sql_list(systems)} "
            "and mean_sentence_score is not null"
        )
        .aggregate("metric, list(mean_sentence_score order by system) as scores", "metric")
        .fetchall()
    )
    return {name: np.array(scores) for name, scores in rows if len(scores) == len(systems)}


def _baselines(dbt: Any, systems: list[str]) -> list[Baseline]:
    """Return the scores by M2 and GLEU, as the run had them and by the definition."""
    signatures = selected_signatures(
        dbt.ref("metric_registry").filter(f"family in {sql_list(BASELINES)}")
    )
    statistics = summed_statistics(
        dbt.ref("system_inputs"),
        dbt.ref("metric_statistics"),
        signatures,
        f"corpus = '{CORPUS}' and reference_set in {sql_list(REFERENCE_SETS)} "
        f"and system in {sql_list(systems)}",
    )
    named = dbt.ref("reference_names").filter(f"corpus = '{CORPUS}'")
    found = []
    for family, by_key in statistics.items():
        of_sets = {name: of_set for (_, name), of_set in by_key.items()}
        names = named.filter(f"kind = '{BASELINES[family]}'")
        rows = names.select("reference_set, position, reference").fetchall()
        found.append(baseline(family, of_sets, rows, len(systems)))
    return [of_metric for of_metric in found if of_metric is not None]
