"""Tables 2 and 3 of the paper on judging without references: four experts' texts as outputs.

M2 and GLEU read the 14 references that are left: the two official ones, those of Bryant and Ng
without the two that are the official ones again, and the four of Sakaguchi et al. by turkers.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.metrics.base import FloatArray
from maege.analysis.metrics.gug.score import GugModel
from maege.analysis.metrics.languagetool import GRAMMAR_METRICS
from maege.analysis.metrics.referenceless.weighted import PUBLISHED
from maege.analysis.metrics.registry import METRICS, metrics_with
from maege.analysis.metrics.score import Composite
from maege.analysis.papers.numbers import MADE_NUMBERS, MadeNumber
from maege.analysis.papers.referenceless import (
    BASELINES,
    EXPERTS,
    PARTS,
    REFERENCE_SETS,
    baseline,
    combination,
    rows_of_experts,
)
from maege.analysis.stored.rows import rows_to_table, sql_list
from maege.analysis.stored.statistics import selected_signatures, statistics_of_sets

CORPUS = "conll14"


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per number, none while the corpus is missing."""
    signatures = selected_signatures(dbt.ref("metric_registry"))
    found = [*_baselines(dbt, signatures)]
    total = combination(_parts(dbt, signatures))
    if total is not None:
        sentences, made_of = total
        means = sentences.mean(axis=-1)
        unknown = np.full_like(means, np.nan)
        found += rows_of_experts("combination", sentences, means, unknown, made_of)
    return rows_to_table(found, MADE_NUMBERS)


def _baselines(dbt: Any, signatures: dict[str, int]) -> Iterator[MadeNumber]:
    """Yield the numbers of M2 and GLEU."""
    inputs, cached = dbt.ref("expert_inputs"), dbt.ref("metric_statistics")
    named = dbt.ref("reference_names").filter(f"corpus = '{CORPUS}'")
    for metric, kind in BASELINES.items():
        if metric not in signatures:
            continue
        by_key = statistics_of_sets(
            inputs, cached, METRICS[metric].score.families[0], signatures[metric], "true"
        )
        of_sets = {name: of_set for (_, name), of_set in by_key.items()}
        names = named.filter(f"kind = '{kind}'").select("reference_set, position, reference")
        found = baseline(metric, of_sets, names.fetchall(), len(EXPERTS), EXPERTS)
        if found is not None:
            yield from rows_of_experts(*found)


def _parts(dbt: Any, signatures: dict[str, int]) -> dict[str, FloatArray]:
    """Return the scores of the experts' sentences by every metric that can stand for a part."""
    inputs = dbt.ref("expert_inputs").filter(f"reference_set = '{REFERENCE_SETS[0]}'")
    gug = GugModel.of(dict(dbt.ref("stg_gug__coefficients").fetchall()))
    metrics = metrics_with(PUBLISHED, gug)
    grammar = dbt.ref("grammar_scores")
    # Those of LanguageTool.
    elsewhere = {name: _grammar_scores(inputs, grammar, name) for name in GRAMMAR_METRICS}
    found = {name: scores for name, scores in elsewhere.items() if scores is not None}
    selected = dbt.ref("metric_registry").filter("is_selected").select("metric").distinct()
    names = {name for of_part in PARTS.values() for name in of_part} & metrics.keys()
    for name in sorted(names & {name for (name,) in selected.fetchall()}):
        score = metrics[name].score
        wanted = score.scored_elsewhere if isinstance(score, Composite) else ()
        statistics = {other: found[other] for other in wanted if other in found}
        for family in score.families:
            of_sets = statistics_of_sets(
                inputs, dbt.ref("metric_statistics"), family, signatures[family.name], "true"
            )
            if of_sets:
                statistics[family.name] = of_sets[CORPUS, REFERENCE_SETS[0]]
        if len(statistics) == len(wanted) + len(score.families):
            found[name] = score.sentence_scores(statistics)
    return found


def _grammar_scores(inputs: Any, scores: Any, metric: str) -> FloatArray | None:
    """Return the scores of the experts' sentences, None unless all of them are there."""
    rows = (
        inputs.set_alias("inputs")
        .join(
            scores.filter(f"metric = '{metric}' and score is not null").set_alias("scores"),
            "inputs.hypothesis_text_id = scores.text_id",
        )
        .filter(f"system in {sql_list(EXPERTS)}")
        .order("system, sentence_id")
    )
    found = rows.select("score").fetchnumpy()["score"]
    asked = inputs.aggregate("count(*)").fetchall()[0][0]
    if not asked or len(found) != asked:
        return None
    scores_of_texts: FloatArray = np.asarray(found, dtype=np.float64).reshape(len(EXPERTS), -1)
    return scores_of_texts
