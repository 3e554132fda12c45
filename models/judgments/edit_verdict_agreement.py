"""Whether metrics rise with approved edits and fall with rejected ones."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from maege.analysis.judgments.ratings import coefficients, one_against_rest
from maege.analysis.judgments.verdict_rows import Edits, verdict_row
from maege.analysis.statistics.ties import score_differences
from maege.analysis.stored.judged_scores import scores_of_outputs
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        **dict.fromkeys(
            ("judgment_set", "task", "corpus", "verdict_set", "reference_set", "metric"),
            pa.string(),
        ),
        **dict.fromkeys(("n_edits", "n_sources", "n_valid", "n_optional", "n_invalid"), pa.int32()),
        **dict.fromkeys(
            (
                *("valid_up", "valid_tied", "valid_down"),
                *("invalid_up", "invalid_tied", "invalid_down"),
                *("auc", "ci_low", "ci_high", "p_value", "severity_r", "severity_rho", "ceiling"),
            ),
            pa.float64(),
        ),
        "too_few": pa.string(),
    }
)


class _Edit(NamedTuple):
    item: str
    source_id: int
    edited_id: int
    is_gold: bool
    values: list[float]


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per task, corpus, choice of verdicts, reference set and metric.

    Items of a corpus are never pooled with others: who is known to be of a corpus may be in it
    because a reference approves of the edit.
    """
    chosen = (
        int(dbt.config.meta_get("bootstrap_samples")),
        float(dbt.config.meta_get("confidence_level")),
        int(dbt.config.meta_get("seed")),
    )
    linked: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, corpus, item in (
        dbt.ref("judged_links").select("judgment_set, corpus, item").fetchall()
    ):
        linked[name][corpus].add(item)
    scores = scores_of_outputs(dbt.ref("judged_scores"))
    rows: list[dict[str, Any]] = []
    for (name, task), edits in _edits(dbt).items():
        for corpus, verdict_set, part in _parts(edits, linked[name]):
            one, rest = one_against_rest(
                [place for place, edit in enumerate(part) for _ in edit.values],
                [value for edit in part for value in edit.values],
            )
            ceiling = coefficients(one, rest).pearson if one.size > 1 else float("nan")
            for (of_corpus, reference_set, metric), by_output in scores[name].items():
                if of_corpus not in (None, corpus):
                    continue
                compared, differences = _differences(part, by_output)
                row = verdict_row(compared, differences, *chosen)
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
    return rows_to_table(rows, SCHEMA)


def _edits(dbt: Any) -> dict[tuple[str, str], list[_Edit]]:
    """Return the placed edits of each task, with what their verdicts are worth."""
    found: dict[tuple[str, str], dict[tuple[str, int], _Edit]] = {}
    for name, task, item, edit, source_id, edited_id, is_gold, value in (
        dbt.ref("judged_verdicts")
        .filter("source_id is not null and edited_id is not null")
        .order("judgment_set, task, item, edit, line, slot")
        .select(
            "judgment_set, task, item, edit, source_id, edited_id, "
            "provenance = 'taken_from_gold', value"
        )
        .fetchall()
    ):
        of_task = found.setdefault((name, task), {})
        one = of_task.setdefault((item, edit), _Edit(item, source_id, edited_id, is_gold, []))
        one.values.append(value)
    return {key: list(of_task.values()) for key, of_task in found.items()}


def _parts(
    edits: list[_Edit], linked: dict[str, set[str]]
) -> Iterator[tuple[str | None, str, list[_Edit]]]:
    """Yield the edits of each corpus and of no corpus, all and without those that are gold."""
    known = set().union(*linked.values()) if linked else set()
    parts: list[tuple[str | None, list[_Edit]]] = [
        (corpus, [edit for edit in edits if edit.item in items])
        for corpus, items in sorted(linked.items())
    ]
    parts.append((None, [edit for edit in edits if edit.item not in known]))
    for corpus, part in parts:
        without_gold = [edit for edit in part if not edit.is_gold]
        if part:
            yield corpus, "all", part
        if without_gold and len(without_gold) < len(part):
            yield corpus, "without_gold", without_gold


def _differences(edits: list[_Edit], by_output: dict[tuple[str, int], float]) -> tuple[Edits, Any]:
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
