"""The paper on judging without references: agreement with judges, and experts' texts as outputs.

Table 1 and its oracle: M2 and GLEU read 18 references, which are the two official ones, those of
Bryant and Ng without the two that are the official ones again, and the eight of Sakaguchi et al.
Tables 2 and 3: the outputs are four experts' texts, and the references the 14 that are left, with
the four of Sakaguchi et al. by turkers.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.fluency import PUBLISHED
from maege.analysis.metrics.gug import GugModel
from maege.analysis.metrics.languagetool import GRAMMAR_METRICS
from maege.analysis.metrics.registry import METRICS, metrics_with
from maege.analysis.metrics.scores import Composite
from maege.analysis.papers.numbers import MADE_NUMBERS, MadeNumber
from maege.analysis.papers.referenceless import (
    BASELINES,
    EXPERTS,
    PARTS,
    REFERENCE_SETS,
    Baseline,
    baseline,
    combination,
    oracle,
    rounded_correlations,
    rows_of_experts,
    rows_of_parts,
)
from maege.analysis.stored.rows import rows_to_table, sql_list
from maege.analysis.stored.statistics import (
    selected_signatures,
    statistics_of_sets,
    summed_statistics,
)

CORPUS = "conll14"


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    return rows_to_table([*_system_numbers(dbt), *_expert_numbers(dbt)], MADE_NUMBERS)


def _system_numbers(dbt: Any) -> Iterator[MadeNumber]:
    released = (
        dbt.ref("released_human_scores")
        .filter("judgment_set = 'gjg15' and method = 'trueskill'")
        .order("system")
        .select("system, human_score")
        .fetchall()
    )
    systems = [system for system, _ in released]
    human = np.array([score for _, score in released])
    scores = _means(dbt.ref("system_scores"), systems)
    statistics = summed_statistics(
        dbt.ref("system_inputs").filter(
            f"corpus = '{CORPUS}' and reference_set in {sql_list(REFERENCE_SETS)} "
            f"and system in {sql_list(systems)}"
        ),
        dbt.ref("metric_statistics"),
        selected_signatures(dbt.ref("metric_registry").filter(f"family in {sql_list(BASELINES)}")),
    )
    baselines = [
        scored_baseline
        for metric, by_key in statistics.items()
        if (scored_baseline := _baseline(dbt, metric, by_key, len(systems)))
    ]
    yield from rows_of_parts(human, scores)
    yield from oracle(human, scores)
    if scores or baselines:
        yield MadeNumber("text", "systems", "count", len(systems))
    for row, _, reproduced, corrected in baselines:
        definition = rounded_correlations(human, corrected)
        for name, value in rounded_correlations(human, reproduced).items():
            yield MadeNumber("table_1", row, name, value, definition[name])


def _baseline(dbt: Any, metric: str, by_key: Any, *systems: Any) -> Baseline | None:
    statistics_by_set = {name: statistics_of_set for (_, name), statistics_of_set in by_key.items()}
    names = dbt.ref("reference_names").filter(
        f"corpus = '{CORPUS}' and kind = '{BASELINES[metric]}'"
    )
    rows = names.select("reference_set, position, reference").fetchall()
    return baseline(metric, statistics_by_set, rows, *systems)


def _means(system_scores: Any, systems: list[str]) -> dict[str, FloatArray]:
    names = [name for metrics in PARTS.values() for name in metrics]
    # Reference-less metrics have the same rows for every reference set, so one set is read.
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


def _expert_numbers(dbt: Any) -> Iterator[MadeNumber]:
    signatures = selected_signatures(dbt.ref("metric_registry"))
    inputs, cached = dbt.ref("expert_inputs"), dbt.ref("metric_statistics")
    for metric in BASELINES:
        if metric in signatures:
            family = METRICS[metric].score.families[0]
            by_key = statistics_of_sets(inputs, cached, family, signatures[metric])
            scored_baseline = _baseline(dbt, metric, by_key, len(EXPERTS), EXPERTS)
            if scored_baseline is not None:
                yield from rows_of_experts(*scored_baseline)
    total = combination(_parts(dbt, signatures))
    if total is not None:
        sentences, made_of = total
        means = sentences.mean(axis=-1)
        unknown = np.full_like(means, np.nan)
        yield from rows_of_experts("combination", sentences, means, unknown, made_of)


def _parts(dbt: Any, signatures: dict[str, int]) -> dict[str, FloatArray]:
    inputs = dbt.ref("expert_inputs").filter(f"reference_set = '{REFERENCE_SETS[0]}'")
    gug = GugModel.of(dict(dbt.source("gug", "grammaticality_coefficients").fetchall()))
    metrics = metrics_with(PUBLISHED, gug)
    part_scores = {
        name: scores
        for name in GRAMMAR_METRICS
        if (scores := _grammar_scores(inputs, dbt.ref("grammar_scores"), name)) is not None
    }
    selected = dbt.ref("metric_registry").filter("is_selected").select("metric").distinct()
    parts = {name for metrics_of_part in PARTS.values() for name in metrics_of_part}
    for name in sorted(parts & metrics.keys() & {name for (name,) in selected.fetchall()}):
        score = metrics[name].score
        part_names = score.scored_elsewhere if isinstance(score, Composite) else ()
        statistics = {part: part_scores[part] for part in part_names if part in part_scores}
        for family in score.families:
            statistics_by_set = statistics_of_sets(
                inputs, dbt.ref("metric_statistics"), family, signatures[family.name]
            )
            if statistics_by_set:
                statistics[family.name] = statistics_by_set[CORPUS, REFERENCE_SETS[0]]
        if len(statistics) == len(part_names) + len(score.families):
            part_scores[name] = score.sentence_scores(statistics)
    return part_scores


def _grammar_scores(inputs: Any, scores: Any, metric: str) -> FloatArray | None:
    rows = (
        inputs.set_alias("inputs")
        .join(
            scores.filter(f"metric = '{metric}' and score is not null").set_alias("scores"),
            "inputs.hypothesis_text_id = scores.text_id",
        )
        .filter(f"system in {sql_list(EXPERTS)}")
        .order("system, sentence_id")
    )
    stored_scores = rows.select("score").fetchnumpy()["score"]
    n_requested = inputs.aggregate("count(*)").fetchall()[0][0]
    if not n_requested or len(stored_scores) != n_requested:
        return None
    scores_by_expert: FloatArray = np.asarray(stored_scores, np.float64).reshape(len(EXPERTS), -1)
    return scores_by_expert
