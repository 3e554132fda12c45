"""Judged edits for models: by task, and by the corpus of their sentences."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

Task = tuple[str, str]


class JudgedEdit(NamedTuple):
    """A placed edit with the values of its verdicts; `is_gold` if its text is a reference."""

    item: str
    source_id: int
    edited_id: int
    is_gold: bool
    values: list[float]


def judged_edits(relation: Any) -> dict[Task, list[JudgedEdit]]:
    """Return the placed edits of each task.

    Args:
        relation: the mart `edit_verdicts`, as `dbt.ref` returns it.

    """
    found: dict[Task, dict[tuple[str, int], JudgedEdit]] = {}
    for name, task, item, edit, source_id, edited_id, is_gold, value in (
        relation.filter("source_output_id is not null and output_id is not null")
        .order("judgment_set, task, item, edit, line, slot")
        .select(
            "judgment_set, task, item, edit, source_output_id, output_id, "
            "provenance = 'taken_from_gold', value"
        )
        .fetchall()
    ):
        of_task = found.setdefault((name, task), {})
        one = of_task.setdefault((item, edit), JudgedEdit(item, source_id, edited_id, is_gold, []))
        one.values.append(value)
    return {key: list(of_task.values()) for key, of_task in found.items()}


def linked_items(relation: Any) -> dict[str, dict[str, set[str]]]:
    """Return the items of each set by the corpus that contains their sentences.

    Args:
        relation: the model `judged_links`, as `dbt.ref` returns it.

    """
    linked: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, corpus, item in relation.select("judgment_set, corpus, item").fetchall():
        linked[name][corpus].add(item)
    return linked


def parts(
    edits: list[JudgedEdit], linked: dict[str, set[str]]
) -> Iterator[tuple[str | None, str, list[JudgedEdit]]]:
    """Yield the edits of each corpus and of no corpus, both all and those that are not gold."""
    known = set().union(*linked.values()) if linked else set()
    of_corpora: list[tuple[str | None, list[JudgedEdit]]] = [
        (corpus, [edit for edit in edits if edit.item in items])
        for corpus, items in sorted(linked.items())
    ]
    of_corpora.append((None, [edit for edit in edits if edit.item not in known]))
    for corpus, part in of_corpora:
        without_gold = [edit for edit in part if not edit.is_gold]
        if part:
            yield corpus, "all", part
        if without_gold and len(without_gold) < len(part):
            yield corpus, "without_gold", without_gold
