"""Sentence scores that depend on the other sentences of the same output.

They belong to metrics whose weights depend on a whole corpus.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores import InCorpusScore
from maege.analysis.stored.rows import key_groups, table_schema
from maege.analysis.stored.statistics import selected_signatures, summed_statistics

SCHEMA = table_schema(
    "corpus varchar, reference_set varchar, system varchar, sentence_id integer, metric varchar, "
    "score double"
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    registry, inputs = dbt.ref("metric_registry").filter("is_selected"), dbt.ref("system_inputs")
    cached = dbt.ref("metric_statistics")
    tables = [SCHEMA.empty_table()]
    selected = registry.select("metric").distinct().order("metric").fetchall()
    for metric in (name for (name,) in selected if name in METRICS):
        score = METRICS[metric].score
        if not isinstance(score, InCorpusScore):
            continue
        family = score.family.name
        signatures = {family: selected_signatures(registry)[family]}
        statistics_by_set = summed_statistics(inputs, cached, signatures)[family]
        keys = inputs.order("corpus, reference_set, system, sentence_id")
        rows = keys.select(", ".join(SCHEMA.names[:4])).to_arrow_table()
        for key, set_rows in key_groups(rows, 2):
            table = set_rows.append_column("metric", [np.repeat(metric, set_rows.num_rows)])
            scores = score.scores_in_corpus(statistics_by_set[key]).ravel()
            tables.append(table.append_column("score", [scores]))
    return pa.concat_tables([table.select(SCHEMA.names).cast(SCHEMA) for table in tables])
