"""Scores of judged outputs, and their references, for models."""

from collections import defaultdict
from typing import Any

Key = tuple[str | None, str | None, str]
Output = tuple[str, int]


def scores_of_outputs(relation: Any) -> dict[str, dict[Key, dict[Output, float]]]:
    """Return scores by set, by corpus, reference set and metric, and by item and output.

    Args:
        relation: the model `judged_scores`, as `dbt.ref` returns it.

    """
    found: dict[str, dict[Key, dict[Output, float]]] = defaultdict(dict)
    for name, item, output_id, corpus, reference_set, metric, score in relation.order(
        "judgment_set, corpus nulls first, reference_set, metric, item, output_id"
    ).fetchall():
        of_metric = found[name].setdefault((corpus, reference_set, metric), {})
        of_metric[item, output_id] = score
    return found


def references_of_items(
    links: Any, listed: Any
) -> dict[str, dict[tuple[str, str], dict[str, list[str]]]]:
    """Return the references of linked items, by set, by corpus and reference set, and by item.

    Args:
        links: the model `judged_links`, as `dbt.ref` returns it.
        listed: the model `listed_references`, as `dbt.ref` returns it.

    """
    joined = links.set_alias("links").join(
        listed.set_alias("listed"),
        "links.corpus = listed.corpus and links.sentence_id = listed.sentence_id",
    )
    found: dict[str, dict[tuple[str, str], dict[str, list[str]]]] = defaultdict(dict)
    for name, linked, reference_set, item, _, text in (
        joined.select("judgment_set, listed.corpus as linked, reference_set, item, position, text")
        .order("judgment_set, linked, reference_set, item, position")
        .fetchall()
    ):
        of_set = found[name].setdefault((linked, reference_set), {})
        of_set.setdefault(item, []).append(text)
    return found
