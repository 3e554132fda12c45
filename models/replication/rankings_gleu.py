"""GLEU against the human scores of SEEDA and GJG15, as the scripts behind those numbers compute it.

They draw one reference a sentence as Python 3 does, print six digits, count the tokens of outputs
between single spaces, and one of them lets the penalty of n-grams left uncorrected take a
sentence's matches below 0 (`gleu_unclipped`).
"""

from typing import Any

import numpy as np
import pyarrow as pa
from scipy.stats import pearsonr, spearmanr

from analysis.metrics.base import FloatArray
from analysis.metrics.gleu import STATISTICS, GleuScore, Penalty
from analysis.stored.rows import rows_to_table
from analysis.stored.statistics import selected_signatures, summed_statistics

SCHEMA = pa.schema(
    {
        "paper": pa.string(),
        "exhibit": pa.string(),
        "row_label": pa.string(),
        "column_label": pa.string(),
        "reproduced": pa.float64(),
    }
)
HYPOTHESIS_LENGTH = STATISTICS.index("hypothesis_length")
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


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return the correlations, none for rankings that are not ingested."""
    signatures = selected_signatures(dbt.ref("metric_registry").filter("family = 'gleu'"))
    inputs, cached = dbt.ref("system_inputs"), dbt.ref("metric_statistics")
    statistics = summed_statistics(
        inputs,
        cached,
        signatures,
        "corpus in ('conll14', 'seeda') and reference_set in ('nucle', 'nucle_m2')",
    )
    judged = dbt.ref("judged_pairs")
    chosen = dbt.ref("judged_systems").filter("system_set = 'base'")
    released = dbt.ref("released_human_scores")
    # As the lines stand: staging has squeezed their white space.
    outputs = dbt.source("raw", "outputs")
    rows: list[dict[str, Any]] = []
    for paper, exhibit, corpus, judgment_set in EXHIBITS:
        sets = (
            released.filter(f"paper = '{paper}'").select("judgment_set, method, label").distinct()
        )
        for row, penalty, references in ROWS:
            key = (corpus, references[paper])
            if key not in statistics.get("gleu", {}):
                continue
            systems, lengths = _lengths(outputs.filter(f"corpus = '{corpus}'"))
            of_systems = statistics["gleu"][key].copy()
            of_systems[..., HYPOTHESIS_LENGTH] = lengths[..., np.newaxis]
            kept = np.ones(of_systems.shape[1], dtype=np.bool_)
            if judgment_set:
                asked = judged.filter(f"judgment_set = '{judgment_set}'").select("sentence_id")
                kept = np.isin(np.arange(len(kept)), np.unique(asked.fetchnumpy()["sentence_id"]))
            scores = np.round(GleuScore(penalty).corpus_score(of_systems[:, kept], "py3"), 6)
            by_name = dict(zip(systems, scores, strict=True))
            for of_set, method, label in sets.fetchall():
                base = chosen.filter(f"judgment_set = '{of_set}'").select("system").fetchall()
                human = dict(
                    released.filter(f"judgment_set = '{of_set}' and method = '{method}'")
                    .select("system, human_score")
                    .fetchall()
                )
                pairs = [(human[name], by_name[name]) for (name,) in sorted(base)]
                if len(pairs) < 2:
                    continue
                x, y = np.array(pairs).T
                for suffix, value in (
                    ("r", pearsonr(x, y).statistic),
                    ("rho", spearmanr(x, y).statistic),
                ):
                    rows.append(
                        {
                            "paper": paper,
                            "exhibit": exhibit,
                            "row_label": row,
                            "column_label": f"{label}_{suffix}",
                            "reproduced": float(value),
                        }
                    )
    return rows_to_table(rows, SCHEMA)


def _lengths(outputs: Any) -> tuple[list[str], FloatArray]:
    """Return the systems, sorted, and their tokens between single spaces: (systems, sentences).

    Lines of ranked systems differ from the warehouse's texts by an empty token at their start. No
    n-gram of source or references has it, so that only the lengths change.
    """
    lines = outputs.order("system, sentence_id").select("system, text").fetchall()
    systems = sorted({system for system, _ in lines})
    lengths = [len(text.rstrip().split(" ")) for _, text in lines]
    return systems, np.array(lengths, dtype=np.float64).reshape(len(systems), -1)
