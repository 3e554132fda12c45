"""Sentence scores and sufficient statistics of system outputs, as arrays, from the build file."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.code import code_behind_module
from maege.analysis.keys import content_key
from maege.analysis.metrics.families.base import Family, FloatArray
from maege.analysis.metrics.registry import FAMILIES
from maege.analysis.rankings.judged import compact
from maege.analysis.stored.rows import ROWS_AT_ONCE, sorted_groups, sorted_order
from maege.analysis.system_scores import SUMMED, StatisticsOfSets, summed_by


def score_matrix(scores: pa.Table) -> tuple[list[str], FloatArray]:
    """Return the systems of one metric, and their sentence scores as one row each.

    Args:
        scores: columns corpus, reference_set, metric, system, and scores in the order of sentences;
            in the order of systems.

    Raises:
        ValueError: systems have different numbers of sentences.

    """
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
    """Return the signature key of every family of a selected metric.

    Args:
        registry: the relation metric_registry, possibly filtered.

    """
    return dict(
        registry.filter("is_selected").select("family, signature_key").distinct().fetchall()
    )


def summed_statistics(
    inputs: Any, cached: Any, signatures: dict[str, int], condition: str
) -> StatisticsOfSets:
    """Return the statistics that corpus scores sum, systems and sentences in order.

    Args:
        inputs: the relation system_inputs.
        cached: the relation metric_statistics.
        signatures: of the selected families.
        condition: SQL that selects rows of system_inputs.

    """
    arrays: StatisticsOfSets = defaultdict(dict)
    for name in signatures.keys() & SUMMED:
        arrays[name] |= statistics_of_sets(
            inputs, cached, FAMILIES[name], signatures[name], condition
        )
    return arrays


class MetricStatistics:
    """The statistics that corpus scores sum, in groups, because all together need much memory.

    Args:
        inputs: the relation system_inputs, or another with its columns.
        cached: the relation metric_statistics.
        signatures: of the families that the metrics read.
        condition: SQL that selects rows of `inputs`.

    """

    def __init__(
        self, inputs: Any, cached: Any, signatures: dict[str, int], condition: str
    ) -> None:
        self._read = (inputs, cached)
        self._signatures, self._condition = signatures, condition
        self._kept: StatisticsOfSets = {}

    def groups(self, metrics: Iterable[str]) -> list[list[str]]:
        """Return groups of metrics whose corpus scores sum the same first family."""
        listed = sorted(metrics, key=lambda metric: (summed_by(metric), metric))
        return [
            list(of_one)
            for _, of_one in groupby(listed, lambda metric: next(iter(summed_by(metric)), metric))
        ]

    def of(self, metrics: Iterable[str]) -> StatisticsOfSets:
        """Return the families that the metrics' corpus scores sum; other families are dropped."""
        names = {name for metric in metrics for name in summed_by(metric)}
        self._kept = {name: of for name, of in self._kept.items() if name in names}
        for name in sorted(names):
            if name not in self._kept:
                signatures = {name: self._signatures[name]}
                self._kept |= summed_statistics(*self._read, signatures, self._condition)
        return self._kept


def statistics_of_sets(
    inputs: Any, cached: Any, family: Family, signature: int, condition: str
) -> dict[tuple[str, ...], FloatArray]:
    """Return one family's statistics by corpus and reference set, systems and sentences in order.

    Args:
        inputs: the relation system_inputs, or another with its columns.
        cached: the relation metric_statistics.
        family: the family.
        signature: its key.
        condition: SQL that selects rows of `inputs`.

    """
    rows = (
        inputs.set_alias("inputs")
        .join(cached.filter(f"signature_key = {signature}").set_alias("cached"), reads(family))
        .filter(condition)
        .select("corpus, reference_set, system, sentence_id, statistics")
    )
    parts = defaultdict(list)
    for batch in rows.to_arrow_reader(ROWS_AT_ONCE):
        for key, part in sorted_groups(pa.Table.from_batches([batch]), 2):
            flat = part["statistics"].combine_chunks().flatten().to_numpy()
            numbers = compact(flat.reshape(part.num_rows, -1, len(family.statistics)))
            parts[key].append((part.select(["system", "sentence_id"]), numbers))
    return {key: _in_order(parts.pop(key)) for key in sorted(parts)}


def _in_order(parts: list[tuple[pa.Table, NDArray[Any]]]) -> FloatArray:
    """Return an array by system and sentence, from parts with some of both."""
    named, numbers = zip(*parts, strict=True)
    names = pa.concat_tables(named)
    in_order = np.concatenate(numbers)[sorted_order(names, *names.column_names)]
    shape = (len(names["system"].unique()), -1, *in_order.shape[1:])
    return in_order.reshape(shape).astype(np.float64)


def reads(family: Family) -> str:
    """Return the condition that joins `cached`, a family's statistics, to the `inputs` it reads.

    The same as macros/keys/input_keys.sql.
    """
    return " and ".join(
        f"cached.{key} = {f'inputs.{read}' if read else '0'}"
        for key, read in keys_read(family).items()
    )


def keys_read(family: Family) -> dict[str, str | None]:
    """Return the column of scoring inputs for each key of the cache; None for a constant 0."""
    references = None
    if family.reads_outputs:
        references = "weighed_gold_key"
    elif family.reads_types:
        references = "typed_gold_key"
    elif family.reads_gold:
        references = "gold_key"
    elif family.reads_references:
        references = "references_key"
    return {
        "hypothesis_text_id": "edits_key" if family.reads_edits else "hypothesis_text_id",
        "source_text_id": "source_text_id" if family.reads_source else None,
        "references_key": references,
    }
