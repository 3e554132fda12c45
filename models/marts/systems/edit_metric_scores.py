"""The counts behind the corpus scores of edit-based metrics, and their authors' measures.

M2, ERRANT and CLEME count with the annotator that they choose for each sentence, the I-measure with
the best reference or mixture of references.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.imeasure import COUNTS
from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores import ChosenScore, CountedScore
from maege.analysis.stored.rows import contract_schema, key_groups
from maege.analysis.stored.statistics import MetricStatistics, selected_signatures

CHOSEN_COUNTS = ("tp", "proposed", "gold")
# Column names of the measures.
MEASURES = {
    "p": "precision",
    "r": "recall",
    "f": "f_score",
    "acc": "accuracy",
    **{name: name for name in ("wacc", "base_wacc", "improvement")},
    **{name: name for name in ("hit", "wrong", "under", "over")},
}


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    registry, inputs = dbt.ref("metric_registry").filter("is_selected"), dbt.ref("system_inputs")
    cached, chosen_annotators = dbt.ref("metric_statistics"), dbt.ref("chosen_annotators")
    signatures = selected_signatures(registry)
    system_rows = (
        inputs.select("corpus, reference_set, system").distinct().order("all").to_arrow_table()
    )
    systems = {key: set_rows["system"] for key, set_rows in key_groups(system_rows, 2)}
    schema = contract_schema(dbt)
    tables = [schema.empty_table()]
    statistics = MetricStatistics(inputs, cached, signatures)
    selected = [metric for (metric,) in registry.select("metric").distinct().fetchall()]
    for metric in chain.from_iterable(statistics.groups(selected)):
        score = METRICS[metric].score if metric in METRICS else None
        if not isinstance(score, CountedScore):
            continue
        if isinstance(score, ChosenScore):
            sums = _chosen_sums(chosen_annotators.filter(f"metric = '{metric}'"))
        else:
            loaded = statistics.load([metric])[score.family.name]
            sums = {key: score.addends(array).sum(axis=1) for key, array in loaded.items()}
        for key, set_rows in sums.items():
            shared = dict(zip(("corpus", "reference_set"), key, strict=True)) | {"metric": metric}
            tables += [
                _rows(shared | {"aspect": aspect}, systems[key], aspect_measures)
                for aspect, aspect_measures in score.reported(set_rows).items()
            ]
    return pa.concat_tables(table.select(schema.names).cast(schema) for table in tables)


def _chosen_sums(chosen_annotators: Any) -> dict[tuple[str, ...], FloatArray]:
    keys = "corpus, reference_set, system"
    summed = ", ".join(f"sum({count})::double as {count}" for count in CHOSEN_COUNTS)
    rows = chosen_annotators.aggregate(f"{keys}, {summed}", keys).order(keys).to_arrow_table()
    return {
        key: np.column_stack([set_rows[count].to_numpy() for count in CHOSEN_COUNTS])
        for key, set_rows in key_groups(rows, 2)
    }


def _rows(
    shared: dict[str, str], systems: pa.ChunkedArray, reported: Mapping[str, FloatArray]
) -> pa.Table:
    absent = np.full(len(systems), np.nan)
    return pa.table(
        {name: [value] * len(systems) for name, value in shared.items()}
        | {"system": systems}
        | {
            MEASURES.get(name, name): pa.array(reported.get(name, absent), from_pandas=True)
            for name in (*COUNTS, *MEASURES)
        }
    )
