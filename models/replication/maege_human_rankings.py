"""Table 1 and Figure 4 of the MAEGE paper: its metrics against human rankings, run again.

The paper calls the rankings of Napoles et al. 2015 GJG15, and those of Grundkiewicz et al. 2015
NSPT15: under each of its names `reproduced` is the set that the run had, `corrected` the set that
the name belongs to.
"""

from typing import Any

import pyarrow as pa
from scipy.stats import t as student

from analysis.papers.maege_rankings import (
    SOURCE,
    Draws,
    correlation_draws,
    judged_orders,
    m2_sentence_scores,
    metric_sentence_scores,
    ranking_counts,
)
from analysis.statistics.judged_pairs import judgment_counts
from analysis.stored.rankings import Judged, judged_sets

SCHEMA = pa.schema(
    {
        "exhibit": pa.string(),
        "row_label": pa.string(),
        "column_label": pa.string(),
        "reproduced": pa.float64(),
        "corrected": pa.float64(),
        "band_low": pa.float64(),
        "band_high": pa.float64(),
    }
)
# What the table's columns call a set, and the set behind the numbers.
SETS = {"combined": "combined", "gjg15": "nspt15", "nspt15": "gjg15"}
# The judges of one set also ranked a mixture of the references; the run scored reference A for it.
MIXTURE, STAND_IN = "refmix1", "NUCLEA"
SYSTEMS = (
    *("AMU", "CAMB", "CUUI", "IITB", "INPUT", "IPN", "NTHU", "PKU", "POST", "RAC", "SJTU"),
    *("UFC", "UMC", MIXTURE),
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return a row for each number, none while a set of rankings is missing."""
    runs = int(dbt.config.meta_get("trueskill_runs"))
    seed = int(dbt.config.meta_get("seed"))
    of_corpus = "corpus = 'conll14'"
    judged = {
        one.judgment_set: one
        for one in judged_sets(dbt.ref("judged_pairs").filter(of_corpus))
        if one.judgment_set in SETS
    }
    if len(judged) < len(SETS):
        return SCHEMA.empty_table()

    in_order = "sentence_id"
    texts = dbt.ref("stg_corpus__outputs").filter(of_corpus).order(in_order)
    outputs = {
        name: [text for (text,) in texts.filter(f"system = '{name}'").select("text").fetchall()]
        for name in SYSTEMS
        if name != MIXTURE
    }
    stored = dbt.ref("reference_texts").filter(of_corpus).order(in_order)

    def reference(reference_set: str, name: str) -> list[str]:
        chosen = stored.filter(f"reference_set = '{reference_set}' and reference = '{name}'")
        return [text for (text,) in chosen.select("text").fetchall()]

    outputs[MIXTURE] = reference("nuclea", STAND_IN)
    references = [reference("nucleb", "NUCLEB")]
    references += [reference("bn10", f"BN{number}") for number in range(1, 11)]
    scores = metric_sentence_scores(outputs, references)
    gold = dbt.ref("annotated_gold").filter(of_corpus).order(in_order)
    both, ten = (
        [
            list(listed)
            for (listed,) in gold.filter(f"annotation_set = '{name}'")
            .select("annotations")
            .fetchall()
        ]
        for name in ("nucle", "bn10")
    )
    scores["m2"] = m2_sentence_scores(
        outputs, [official[1:] + others for official, others in zip(both, ten, strict=True)]
    )
    # Whoever was shown to a judge, also where no rank was given or the judge is left out.
    shown = (dbt.ref("stg_corpus__judgments"), dbt.ref("stg_corpus__judgment_conflicts"))
    in_any = {
        sentence
        for relation in shown
        for (sentence,) in relation.filter(of_corpus).select("sentence_id").distinct().fetchall()
    }
    draws: dict[tuple[str, str], Draws] = {}
    for name, one in judged.items():
        systems = [system for system in outputs if system in one.systems]
        human = judged_orders(_counts(one.among(systems), sorted(systems)), runs, seed)
        sentences = sorted(in_any) if name == "combined" else range(len(outputs[SOURCE]))
        places = [list(outputs).index(system) for system in sorted(systems)]
        for metric, of_metric in scores.items():
            ranked = ranking_counts(of_metric[places][:, list(sentences)])
            draws[metric, name] = correlation_draws(human, ranked, runs, seed)
    rows = [
        ("table_1", metric, f"{label}_rho", draws[metric, behind], draws[metric, label].mean)
        for metric in scores
        for label, behind in SETS.items()
    ]
    rows += [
        ("figure_4", metric, "human_rho", draws[metric, "combined"], draws[metric, "combined"].mean)
        for metric in scores
    ]
    n_systems = len(judged["combined"].systems)
    table = [
        {
            "exhibit": exhibit,
            "row_label": metric,
            "column_label": column,
            "reproduced": drawn.mean,
            "corrected": corrected,
            "band_low": drawn.low,
            "band_high": drawn.high,
        }
        for exhibit, metric, column, drawn, corrected in rows
    ]
    for metric in scores:
        drawn = draws[metric, "combined"]
        low, high = sorted(_p(value, n_systems) for value in (drawn.low, drawn.high))
        p = _p(drawn.mean, n_systems)
        table.append(
            {
                "exhibit": "table_1",
                "row_label": metric,
                "column_label": "combined_p",
                "reproduced": p,
                "corrected": p,
                "band_low": 0.0 if drawn.low < 0 < drawn.high else low,
                "band_high": 1.0 if drawn.low < 0 < drawn.high else high,
            }
        )
    return pa.Table.from_pylist(table, schema=SCHEMA)


def _counts(judged: Judged, systems: list[str]) -> Any:
    """Return the outcomes of pairs of outputs that the judge saw apart."""
    if judged.systems != systems:
        raise ValueError(f"expected judgments of {systems}, found {judged.systems}")
    shown = ~judged.is_same_output
    return judgment_counts(
        judged.first[shown], judged.second[shown], judged.preference[shown], len(systems)
    )


def _p(rho: float, n: int) -> float:
    return float(2 * student.sf(abs(rho) * ((n - 2) / (1 - rho**2)) ** 0.5, n - 2))
