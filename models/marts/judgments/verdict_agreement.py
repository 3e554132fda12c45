"""Whether scores rise with approved edits and fall with rejected ones.

Items of a corpus are never pooled with others: an item may have been linked to the corpus because a
reference contains its edit.
"""

from typing import Any

import numpy as np

from maege.analysis.judgments.ratings import coefficients, one_against_rest
from maege.analysis.judgments.verdicts import verdict_row
from maege.analysis.rankings.significance import with_q_values
from maege.analysis.statistics.pair_agreement import score_differences
from maege.analysis.stored.judgments import (
    JudgedEdit,
    judged_edits,
    linked_items,
    parts,
    scores_of_outputs,
)
from maege.analysis.stored.rows import contract_schema, rows_to_table

FAMILY = ("judgment_set", "task", "corpus", "verdict_set")


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    sampling = (
        dbt.settings.bootstrap_samples,
        dbt.settings.confidence_level,
        dbt.settings.seed,
    )
    linked = linked_items(dbt.ref("judged_links"))
    scores = scores_of_outputs(dbt.ref("judged_scores"))
    rows: list[dict[str, Any]] = []
    for (name, task), edits in judged_edits(dbt.ref("edit_verdicts")).items():
        for corpus, verdict_set, part in parts(edits, linked[name]):
            single_verdicts, other_means = one_against_rest(
                [place for place, edit in enumerate(part) for _ in edit.values],
                [value for edit in part for value in edit.values],
            )
            ceiling = (
                coefficients(single_verdicts, other_means).pearson
                if single_verdicts.size > 1
                else float("nan")
            )
            for (score_corpus, reference_set, metric), by_output in scores[name].items():
                if score_corpus not in (None, corpus):
                    continue
                row = verdict_row(*_differences(part, by_output), *sampling)
                if row is not None:
                    key = dict(zip(FAMILY, (name, task, corpus, verdict_set), strict=True))
                    compared = {"reference_set": reference_set, "metric": metric}
                    rows.append(row | key | compared | {"ceiling": ceiling})
    return rows_to_table(with_q_values(rows, FAMILY), contract_schema(dbt))


def _differences(
    edits: list[JudgedEdit], by_output: dict[tuple[str, int], float]
) -> tuple[Any, list[list[float]], Any]:
    numbers: dict[str, int] = {}
    source = np.array([numbers.setdefault(edit.item, len(numbers)) for edit in edits], np.int64)
    before = np.array([by_output.get((edit.item, edit.source_id), np.nan) for edit in edits])
    after = np.array([by_output.get((edit.item, edit.edited_id), np.nan) for edit in edits])
    return source, [edit.values for edit in edits], score_differences(after, before)
