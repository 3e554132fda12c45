"""Scores of judged outputs, and references beside them, as models read them."""

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


def references_of_items(
    links: Any, listed: Any
) -> dict[str, dict[tuple[str, str], dict[str, list[str]]]]:
    """Return the references of linked items, by set, by corpus and reference set, and by item.

    Args:
        links: what `dbt.ref` returned of the model `judged_links`.
        listed: and of `listed_references`.

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
