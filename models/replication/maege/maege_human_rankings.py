"""Table 1 and Figure 4 of the MAEGE paper: its metrics against human rankings, run again.

The paper calls the rankings of Napoles et al. 2015 GJG15, and those of Grundkiewicz et al. 2015
NSPT15: under each of its names `reproduced` is the set that the run had, `corrected` the set that
the name belongs to.
"""

from collections import defaultdict
from typing import Any

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
    *("UFC", "UMC"),
)


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    is_conll14 = "corpus = 'conll14'"
    judgments_by_set = {
        judgments.judgment_set: judgments
        for judgments in judged_sets(dbt.ref("judged_pairs").filter(is_conll14))
        if judgments.judgment_set in SETS
    }
    if len(judgments_by_set) < len(SETS):
        return BANDED_NUMBERS.empty_table()

    def lists(relation: Any, keys: str, column: str) -> dict[tuple[str, ...], list[Any]]:
        listed = f"{keys}, list({column} order by sentence_id)"
        rows = relation.filter(is_conll14).aggregate(listed, keys).fetchall()
        return defaultdict(list, {tuple(key): values for *key, values in rows})

    texts = lists(dbt.ref("usable_outputs"), "system", "text")
    listed = lists(dbt.ref("listed_references"), "reference_set, reference", "text")
    outputs = {name: texts[name,] for name in SYSTEMS} | {MIXTURE: listed["nuclea", STAND_IN]}
    references = [listed["nucleb", "NUCLEB"]]
    references += [listed["bn10", f"BN{number}"] for number in range(1, 11)]
    gold = lists(dbt.ref("annotated_gold"), "annotation_set", "annotations")
    nucle, ten = gold["nucle",], gold["bn10",]
    n_sentences = {len(column) for column in (*outputs.values(), *references, nucle, ten)}
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
    runs, seed = dbt.settings.trueskill_runs, dbt.settings.seed
    draws = ranking_draws(judgments_by_set, scores, list(outputs), sorted(in_any), runs, seed)
    rows = ranking_rows(draws, len(judgments_by_set["combined"].systems))
    return rows_to_table(rows, BANDED_NUMBERS)
