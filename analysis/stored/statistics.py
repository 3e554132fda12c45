"""Sufficient statistics of system outputs as arrays."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.code import code_behind_module
from maege.analysis.metrics.families import Family, FloatArray
from maege.analysis.metrics.registry import FAMILIES
from maege.analysis.rankings.judged import compact
from maege.analysis.stored.rows import ROWS_AT_ONCE, sorted_groups, sorted_order
from maege.analysis.stored.sentence_scores import reads
from maege.analysis.system_scores import SUMMED, StatisticsOfSets, summed_by
from maege.analysis.texts import content_key


def score_matrix(scores: pa.Table) -> tuple[list[str], FloatArray]:
    """Return the systems of one metric, and their sentence scores as one row each."""
    systems = scores["system"].to_pylist()
    values = scores["scores"].combine_chunks().flatten().to_numpy()
    if values.size % len(systems):
        raise ValueError(
            f"{scores['corpus'][0]}, {scores['metric'][0]}: found {values.size} scores of "
            f"{len(systems)} systems; expected every system to have the same sentences"
        )
    return systems, values.reshape(len(systems), -1)


def signature_key(family: Family) -> int:
    """Return the key of everything that a family's statistics depend on besides their inputs."""
    return content_key(f"{family.signature()}|{code_behind_module(type(family).__module__)}")


def selected_signatures(registry: Any) -> dict[str, int]:
    return dict(
        registry.filter("is_selected").select("family, signature_key").distinct().fetchall()
    )


def summed_statistics(inputs: Any, cached: Any, signatures: dict[str, int]) -> StatisticsOfSets:
    return {
        name: statistics_of_sets(inputs, cached, FAMILIES[name], signatures[name])
        for name in signatures.keys() & SUMMED
    }


class MetricStatistics:
    """The statistics that corpus scores sum, in groups, because all together need much memory."""

    def __init__(self, inputs: Any, cached: Any, signatures: dict[str, int]) -> None:
        self._read, self._signatures = (inputs, cached), signatures
        self._kept: StatisticsOfSets = {}

    def groups(self, metrics: Iterable[str]) -> list[list[str]]:
        listed = sorted(metrics, key=lambda metric: (summed_by(metric), metric))
        return [
            list(group)
            for _, group in groupby(listed, lambda metric: next(iter(summed_by(metric)), metric))
        ]

    def load(self, metrics: Iterable[str]) -> StatisticsOfSets:
        """Return the families that the metrics' corpus scores sum; other families are dropped."""
        names = {name for metric in metrics for name in summed_by(metric)}
        missing = {name: self._signatures[name] for name in names - self._kept.keys()}
        self._kept = {name: arrays for name, arrays in self._kept.items() if name in names}
        self._kept |= summed_statistics(*self._read, missing)
        return self._kept


def statistics_of_sets(
    inputs: Any, cached: Any, family: Family, signature: int
) -> dict[tuple[str, ...], FloatArray]:
    """Return the statistics by corpus and reference set, systems and sentences in order."""
    rows = (
        inputs.set_alias("inputs")
        .join(cached.filter(f"signature_key = {signature}").set_alias("cached"), reads(family))
        .select("corpus, reference_set, system, sentence_id, statistics")
    )
    parts = defaultdict(list)
    for batch in rows.to_arrow_reader(ROWS_AT_ONCE):
        for key, part in sorted_groups(pa.Table.from_batches([batch]), 2):
            flat = part["statistics"].combine_chunks().flatten().to_numpy()
            numbers = compact(flat.reshape(part.num_rows, -1, len(family.statistics)))
            parts[key].append((part.select(["system", "sentence_id"]), numbers))
    return {key: _merged_statistics(parts.pop(key)) for key in sorted(parts)}


def _merged_statistics(parts: list[tuple[pa.Table, NDArray[Any]]]) -> FloatArray:
    tables, numbers = zip(*parts, strict=True)
    names = pa.concat_tables(tables)
    in_order = np.concatenate(numbers)[sorted_order(names, *names.column_names)]
    shape = (len(names["system"].unique()), -1, *in_order.shape[1:])
    return in_order.reshape(shape).astype(np.float64)
