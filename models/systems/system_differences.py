"""Every two systems of a corpus by every metric: which is better, and how sure that is.

Koehn (2004): both systems are scored in the same bootstrap samples of sentences, and what counts is
the difference in each sample. Holm (1979) corrects for all pairs by a metric being looked at.
"""

from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.compare.significance import holm
from maege.analysis.statistics.bootstrap import paired_p_values
from maege.analysis.stored.rows import key_groups

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "reference_set": pa.string(),
        "metric": pa.string(),
        "system_a": pa.string(),
        "system_b": pa.string(),
        "rank_a": pa.int32(),
        "rank_b": pa.int32(),
        "difference": pa.float64(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        "p": pa.float64(),
        "p_holm": pa.float64(),
        "are_neighbours": pa.bool_(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per reference set, metric and pair of systems, the better ranked first."""
    level = float(dbt.config.meta_get("confidence_level"))
    scores = dbt.ref("system_corpus_scores")  # noqa: F841 (read by name in the query)
    directions = dbt.ref("metric_directions")  # noqa: F841
    rows = session.sql(
        "select corpus, reference_set, metric, system, rank() over ("
        "partition by corpus, reference_set, metric "
        "order by if(higher_is_better, -1, 1) * corpus_score)::integer as rank, "
        "corpus_score, samples from scores inner join directions using (metric) "
        "order by corpus, reference_set, metric, rank, system"
    ).to_arrow_table()
    tables = [_comparisons(key, group, level) for key, group in key_groups(rows, 3)]
    return pa.concat_tables([SCHEMA.empty_table(), *tables])


def _comparisons(key: tuple[str, ...], rows: pa.Table, level: float) -> pa.Table:
    systems = rows["system"].to_pylist()
    if len(systems) < 2:
        return SCHEMA.empty_table()
    rank = rows["rank"].to_numpy()
    score = rows["corpus_score"].to_numpy()
    samples = rows["samples"].combine_chunks().flatten().to_numpy().reshape(len(systems), -1)
    a, b = np.array(list(combinations(range(len(systems)), 2))).T
    differences = (samples[a] - samples[b]).T
    p_values = paired_p_values(differences)
    low, high = np.quantile(differences, [(1 - level) / 2, (1 + level) / 2], axis=0)
    columns = [
        *([part] * len(a) for part in key),
        [systems[i] for i in a],
        [systems[i] for i in b],
        rank[a],
        rank[b],
        score[a] - score[b],
        low,
        high,
        p_values,
        holm(p_values),
        b == a + 1,
    ]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)
