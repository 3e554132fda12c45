"""GLEU against the human scores of SEEDA and GJG15, as the scripts behind those numbers compute it.

One of them lets the penalty of n-grams left uncorrected take a sentence's matches below 0
(`gleu_unclipped`).
"""

from typing import Any

import numpy as np

from maege.analysis.metrics.gleu import Penalty
from maege.analysis.papers.referenceless import correlations, printed_gleu, token_counts
from maege.analysis.stored.rows import rows_to_table, table_schema
from maege.analysis.stored.statistics import selected_signatures, summed_statistics

SCHEMA = table_schema(
    "paper varchar, exhibit varchar, row_label varchar, column_label varchar, reproduced double"
)
# Paper, exhibit, corpus, judgment set whose sentences are scored (all, where there is none).
EXHIBITS = (
    ("seeda", "gleu_judged_sentences", "seeda", "seeda_edit"),
    ("gjg15", "metric_correlations", "conll14", None),
)
# What a row is called, the penalty, and the references by exhibit.
ROWS: tuple[tuple[str, Penalty, dict[str, str]], ...] = (
    ("gleu_unclipped", "unclipped_difference_penalty", {"seeda": "nucle_m2", "gjg15": "nucle_m2"}),
    ("gleu", "penalty", {"seeda": "nucle", "gjg15": "nucle_m2"}),
)


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    signatures = selected_signatures(dbt.ref("metric_registry").filter("family = 'gleu'"))
    inputs, cached = dbt.ref("system_inputs"), dbt.ref("metric_statistics")
    nucle = inputs.filter(
        "corpus in ('conll14', 'seeda') and reference_set in ('nucle', 'nucle_m2')"
    )
    statistics = summed_statistics(nucle, cached, signatures)
    judged_pairs = dbt.ref("judged_pairs")
    base_systems = dbt.ref("judged_systems").filter("system_set = 'base'")
    released = dbt.ref("released_human_scores")
    # The lines as they were read: the other models squeeze their white space.
    outputs = dbt.source("raw", "outputs")
    rows: list[tuple[Any, ...]] = []
    for paper, exhibit, corpus, judgment_set in EXHIBITS:
        sets = released.filter(f"paper = '{paper}'").select("judgment_set, method, label")
        for row, penalty, references in ROWS:
            key = (corpus, references[paper])
            if key not in statistics.get("gleu", {}):
                continue
            lines = (
                outputs.filter(f"corpus = '{corpus}'")
                .order("system, sentence_id")
                .select("system, text")
                .fetchall()
            )
            systems = sorted({system for system, _ in lines})
            lengths = token_counts([text for _, text in lines]).reshape(len(systems), -1)
            # Sentences that are left out have a line, and no statistics.
            if statistics["gleu"][key].shape[:2] != lengths.shape:
                continue
            is_used = np.ones(lengths.shape[1], dtype=np.bool_)
            if judgment_set:
                judged = judged_pairs.filter(f"judgment_set = '{judgment_set}'")
                judged_ids = judged.select("sentence_id").fetchnumpy()["sentence_id"]
                is_used = np.isin(np.arange(len(is_used)), judged_ids)
            scores = printed_gleu(statistics["gleu"][key], lengths, is_used, penalty)
            by_name = dict(zip(systems, scores.tolist(), strict=True))
            for scored_set, method, label in sets.distinct().fetchall():
                base = base_systems.filter(f"judgment_set = '{scored_set}'")
                released_scores = dict(
                    released.filter(f"judgment_set = '{scored_set}' and method = '{method}'")
                    .select("system, human_score")
                    .fetchall()
                )
                names = base.select("system").fetchall()
                human = {name: released_scores[name] for (name,) in names}
                rows += [
                    (paper, exhibit, row, f"{label}_{coefficient}", value)
                    for coefficient, value in correlations(human, by_name).items()
                ]
    return rows_to_table(rows, SCHEMA)
