"""Scores of all judged texts, by metrics that read only texts and by chance baselines."""

from collections import defaultdict
from typing import Any

import numpy as np

from maege.analysis.judgments.verdicts import (
    JudgedText,
    reference_based_scores,
    reference_free_scores,
)
from maege.analysis.stored.judgments import references_of_items
from maege.analysis.stored.rows import rows_to_table, table_schema

SCHEMA = table_schema(
    "judgment_set varchar, item varchar, output_id integer, corpus varchar, "
    "reference_set varchar, metric varchar, score double"
)


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    metrics = sorted(dbt.settings.judged_metrics)
    # Tasks of one set that differ in language or tokens share no texts.
    about = {
        name: (language, tokens)
        for name, language, tokens in dbt.source("raw", "judgment_tasks")
        .aggregate("judgment_set, min(language), min(tokens)", "judgment_set")
        .fetchall()
    }
    source = {
        (name, item): text
        for name, item, text in dbt.source("raw", "judged_items")
        .select("judgment_set, item, source")
        .fetchall()
    }
    texts: dict[str, list[tuple[str, int, JudgedText]]] = defaultdict(list)
    for name, item, output_id, text in (
        dbt.ref("judged_outputs")
        .filter("text is not null")
        .order("judgment_set, item, output_id")
        .select("judgment_set, item, output_id, text")
        .fetchall()
    ):
        judged_text = JudgedText(source[name, item], text, about[name][1])
        texts[name].append((item, output_id, judged_text))
    references = references_of_items(dbt.ref("judged_links"), dbt.ref("listed_references"))
    rows: list[tuple[Any, ...]] = []
    for name, set_texts in texts.items():
        language = about[name][0]
        keys = [(name, item, output_id) for item, output_id, _ in set_texts]
        for metric, scores in reference_free_scores(
            [text for *_, text in set_texts], metrics, language, dbt.settings.seed
        ):
            rows += _rows(keys, (None, None), metric, scores)
        for (linked, reference_set), item_references in references[name].items():
            linked_texts = [
                (item, output, text) for item, output, text in set_texts if item in item_references
            ]
            keys = [(name, item, output_id) for item, output_id, _ in linked_texts]
            longest = max(map(len, item_references.values()))
            lists = [
                [*item_references[item], *[None] * (longest - len(item_references[item]))]
                for item, *_ in linked_texts
            ]
            for metric, scores in reference_based_scores(
                [text for *_, text in linked_texts], lists, metrics, language
            ):
                rows += _rows(keys, (linked, reference_set), metric, scores)
    return rows_to_table(rows, SCHEMA)


def _rows(
    keys: list[tuple[str, str, int]],
    references: tuple[str | None, str | None],
    metric: str,
    scores: Any,
) -> list[tuple[Any, ...]]:
    return [
        (*key, *references, metric, score)
        for key, score in zip(keys, scores.tolist(), strict=True)
        if not np.isnan(score)
    ]
