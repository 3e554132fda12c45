"""The annotator that a metric compares each sentence of a system with, if it chooses one."""

from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores import ChosenScore
from maege.analysis.stored.rows import sorted_groups, table_schema
from maege.analysis.stored.sentence_scores import reads
from maege.analysis.stored.statistics import selected_signatures

SCHEMA = table_schema(
    "corpus varchar, reference_set varchar, system varchar, metric varchar, sentence_id integer, "
    "position integer, tp integer, proposed integer, gold integer"
)


def model(dbt: Any, session: Any) -> pa.Table:
    inputs = dbt.ref("system_inputs")  # noqa: F841 (read by name in the query)
    cached = dbt.ref("metric_statistics")  # noqa: F841
    registry = dbt.ref("metric_registry").filter("is_selected")
    signatures = selected_signatures(registry)
    tables = [SCHEMA.empty_table()]
    for (metric,) in registry.select("metric").distinct().order("metric desc").fetchall():
        score = METRICS[metric].score if metric in METRICS else None
        if not isinstance(score, ChosenScore):
            continue
        rows = session.sql(
            "select corpus, reference_set, system, sentence_id, statistics "
            f"from inputs inner join cached on {reads(score.family)} "
            f"where cached.signature_key = {signatures[score.family.name]}"
        ).to_arrow_table()
        tables += [
            _choices(metric, score, key, set_rows)
            for key, set_rows in sorted_groups(rows, 2, "system", "sentence_id")
        ]
    return pa.concat_tables(tables)


def _choices(metric: str, score: ChosenScore, key: tuple[str, ...], rows: pa.Table) -> pa.Table:
    flat = rows["statistics"].combine_chunks().flatten().to_numpy()
    n_systems = len(rows["system"].unique())
    shape = (n_systems, rows.num_rows // n_systems, -1, len(score.family.statistics))
    statistics = flat.reshape(shape)
    positions = score.choose(statistics)
    counts = score.chosen_counts(statistics, positions).reshape(-1, 3)
    columns = [
        *(np.repeat(part, rows.num_rows) for part in key),
        rows["system"].combine_chunks(),
        np.repeat(metric, rows.num_rows),
        rows["sentence_id"].combine_chunks(),
        positions.ravel(),
        *counts.T,
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)
