"""Table 1 and Figure 4 of the MAEGE paper: its metrics against human rankings, run again.

The paper calls the rankings of Napoles et al. 2015 GJG15, and those of Grundkiewicz et al. 2015
NSPT15: under each of its names `reproduced` is the set that the run had, `corrected` the set that
the name belongs to.
"""

from typing import Any

import pyarrow as pa

from maege.analysis.papers.maege_run import (
    SETS,
    m2_sentence_scores,
    metric_sentence_scores,
    ranking_draws,
    ranking_rows,
)
from maege.analysis.papers.numbers import BANDED_NUMBERS
from maege.analysis.stored.judgments import judged_sets
from maege.analysis.stored.rows import rows_to_table

# The judges of one set also ranked a mixture of the references; the run scored reference A for it.
MIXTURE, STAND_IN = "refmix1", "NUCLEA"
SYSTEMS = (
    *("AMU", "CAMB", "CUUI", "IITB", "INPUT", "IPN", "NTHU", "PKU", "POST", "RAC", "SJTU"),
    *("UFC", "UMC", MIXTURE),
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return a row for each number, none while rankings, outputs or references are missing."""
    runs = int(dbt.config.meta_get("trueskill_runs"))
    seed = int(dbt.config.meta_get("seed"))
    is_conll14 = "corpus = 'conll14'"
    judgments_by_set = {
        judgments.judgment_set: judgments
        for judgments in judged_sets(dbt.ref("judged_pairs").filter(is_conll14))
        if judgments.judgment_set in SETS
    }
    if len(judgments_by_set) < len(SETS):
        return BANDED_NUMBERS.empty_table()

    in_order = "sentence_id"
    texts = dbt.ref("usable_outputs").filter(is_conll14).order(in_order)
    outputs = {
        name: [text for (text,) in texts.filter(f"system = '{name}'").select("text").fetchall()]
        for name in SYSTEMS
        if name != MIXTURE
    }
    stored = dbt.ref("listed_references").filter(is_conll14).order(in_order)

    def reference(reference_set: str, name: str) -> list[str]:
        reference_rows = stored.filter(
            f"reference_set = '{reference_set}' and reference = '{name}'"
        )
        return [text for (text,) in reference_rows.select("text").fetchall()]

    outputs[MIXTURE] = reference("nuclea", STAND_IN)
    references = [reference("nucleb", "NUCLEB")]
    references += [reference("bn10", f"BN{number}") for number in range(1, 11)]
    gold = dbt.ref("annotated_gold").filter(is_conll14).order(in_order)
    nucle, ten = (
        [
            list(listed)
            for (listed,) in gold.filter(f"annotation_set = '{name}'")
            .select("annotations")
            .fetchall()
        ]
        for name in ("nucle", "bn10")
    )
    n_sentences = {len(listed) for listed in (*outputs.values(), *references, nucle, ten)}
    if len(n_sentences) > 1 or 0 in n_sentences:
        return BANDED_NUMBERS.empty_table()
    scores = metric_sentence_scores(outputs, references)
    scores["m2"] = m2_sentence_scores(
        outputs, [official[1:] + others for official, others in zip(nucle, ten, strict=True)]
    )
    # Systems shown to a judge, including those without a rank and those of excluded judges.
    shown = (dbt.ref("usable_judgments"), dbt.source("raw", "judgment_conflicts"))
    in_any = {
        sentence
        for relation in shown
        for (sentence,) in relation.filter(is_conll14).select("sentence_id").distinct().fetchall()
    }
    draws = ranking_draws(judgments_by_set, scores, list(outputs), sorted(in_any), runs, seed)
    rows = ranking_rows(draws, len(judgments_by_set["combined"].systems))
    return rows_to_table(rows, BANDED_NUMBERS)
