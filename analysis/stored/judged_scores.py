"""Scores of judged outputs as models read them: by set, metric and output."""

from collections import defaultdict
from typing import Any

Key = tuple[str | None, str | None, str]
Output = tuple[str, int]


def scores_of_outputs(relation: Any) -> dict[str, dict[Key, dict[Output, float]]]:
    """Return scores by set, by corpus, reference set and metric, and by item and output.

    Args:
        relation: what `dbt.ref` returned of the model `judged_scores`.

    """
    found: dict[str, dict[Key, dict[Output, float]]] = defaultdict(dict)
    for name, item, output_id, corpus, reference_set, metric, score in relation.order(
        "judgment_set, corpus nulls first, reference_set, metric, item, output_id"
    ).fetchall():
        of_metric = found[name].setdefault((corpus, reference_set, metric), {})
        of_metric[item, output_id] = score
    return found
