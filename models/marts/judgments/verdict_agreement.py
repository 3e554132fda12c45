"""Whether scores rise with approved edits and fall with rejected ones."""

from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.judgments.ratings import coefficients, one_against_rest
from maege.analysis.judgments.verdicts import Edits, verdict_row
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


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per task, corpus, set of verdicts, reference set and metric.

    Items of a corpus are never pooled with others: an item may have been linked to the corpus
    because a reference contains its edit.
    """
    sampling = (
        int(dbt.config.meta_get("bootstrap_samples")),
        float(dbt.config.meta_get("confidence_level")),
        int(dbt.config.meta_get("seed")),
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
                compared, differences = _differences(part, by_output)
                row = verdict_row(compared, differences, *sampling)
                if row is None:
                    continue
                rows.append(
                    row
                    | {
                        "judgment_set": name,
                        "task": task,
                        "corpus": corpus,
                        "verdict_set": verdict_set,
                        "reference_set": reference_set,
                        "metric": metric,
                        "ceiling": ceiling,
                    }
                )
    family = ("judgment_set", "task", "corpus", "verdict_set")
    return rows_to_table(with_q_values(rows, family), contract_schema(dbt))


def _differences(
    edits: list[JudgedEdit], by_output: dict[tuple[str, int], float]
) -> tuple[Edits, Any]:
    numbers: dict[str, int] = {}
    source = np.array([numbers.setdefault(edit.item, len(numbers)) for edit in edits], np.int64)
    before, after = (
        np.array([by_output.get(key, np.nan) for key in keys])
        for keys in (
            [(edit.item, edit.source_id) for edit in edits],
            [(edit.item, edit.edited_id) for edit in edits],
        )
    )
    return Edits(source, [edit.values for edit in edits]), score_differences(after, before)
