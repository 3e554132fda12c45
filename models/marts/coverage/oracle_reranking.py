"""What an oracle takes from k-best lists, by reference set, metric and number of references."""

from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa

from maege.analysis.stored.coverage.reranked_rows import SCHEMA, Listed, reranked_rows
from maege.analysis.stored.rows import built_modes, rows_to_table


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, reference set, system, mode, metric and number of references."""
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    modes = built_modes(dbt.config.meta_get("replication"))
    listed = (
        dbt.ref("k_best_lists")
        .order("corpus, reference_set, system, sentence_id")
        .select(
            "corpus, reference_set, system, source, "
            '[outputs, "references", list_filter(annotations, lambda x: x is not null)]'
        )
        .fetchall()
    )
    rows: list[tuple[Any, ...]] = []
    for key, group in groupby(listed, key=itemgetter(0, 1, 2)):
        sentences = [Listed(source, *map(tuple, lists)) for *_, source, lists in group]
        rows += reranked_rows(key, sentences, level, seed, modes)
    return rows_to_table(rows, SCHEMA)
