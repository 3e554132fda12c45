"""Every two systems of a corpus by every metric: which is better, and how sure that is.

Koehn (2004): both systems are scored in the same bootstrap samples of sentences, and what counts is
the difference in each sample. The pairs by one metric and one reference set are a family: Benjamini
and Hochberg (1995) correct for what is found among them, Holm (1979) for claims about a rank. Below
the least number of sentences nothing is inferred.
"""

from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.compare.significance import benjamini_hochberg, holm
from maege.analysis.metrics.base import FloatArray
from maege.analysis.statistics.bootstrap import paired_p_values
from maege.analysis.statistics.least_samples import too_few
from maege.analysis.stored.rows import key_groups

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "reference_set": pa.string(),
        "metric": pa.string(),
        "system_a": pa.string(),
        "system_b": pa.string(),
        "n_sentences": pa.int32(),
        "difference": pa.float64(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        "p_value": pa.float64(),
        "q_value": pa.float64(),
        "p_holm": pa.float64(),
        "n_resamples": pa.int32(),
        "too_few": pa.string(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per reference set, metric and pair of systems, in the order of their names."""
    level = float(dbt.config.meta_get("confidence_level"))
    scores = dbt.ref("system_corpus_scores")  # noqa: F841 (read by name in the query)
    sentences = dbt.ref("output_scores")  # noqa: F841
    rows = session.sql(
        "with sizes as (select corpus, reference_set, metric, system, count(*) as n_sentences "
        "from sentences group by all) "
        "select corpus, reference_set, metric, system, n_sentences, corpus_score, samples "
        "from scores inner join sizes using (corpus, reference_set, metric, system) "
        "order by corpus, reference_set, metric, system"
    ).to_arrow_table()
    tables = [_comparisons(key, group, level) for key, group in key_groups(rows, 3)]
    return pa.concat_tables([SCHEMA.empty_table(), *tables])


def _comparisons(key: tuple[str, ...], rows: pa.Table, level: float) -> pa.Table:
    systems = rows["system"].to_pylist()
    if len(systems) < 2:
        return SCHEMA.empty_table()
    score = rows["corpus_score"].to_numpy()
    samples = rows["samples"].combine_chunks().flatten().to_numpy().reshape(len(systems), -1)
    n_sentences = rows["n_sentences"][0].as_py()
    a, b = np.array(list(combinations(range(len(systems)), 2))).T
    missing = too_few(sentences=n_sentences)
    inferred = _nothing(len(a)) if missing else _inferred((samples[a] - samples[b]).T, level)
    columns = [
        *([part] * len(a) for part in key),
        [systems[i] for i in a],
        [systems[i] for i in b],
        [n_sentences] * len(a),
        score[a] - score[b],
        *inferred,
        [samples.shape[1]] * len(a),
        [missing] * len(a),
    ]
    arrays = [
        pa.array(column, field.type, from_pandas=True)
        for column, field in zip(columns, SCHEMA, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def _inferred(differences: FloatArray, level: float) -> list[FloatArray]:
    """Return bounds, p and both corrections; no bounds where no number lies between them."""
    p_values = paired_p_values(differences)
    low, high = np.quantile(differences, [(1 - level) / 2, (1 + level) / 2], axis=0)
    bounds = [np.where(low < high, bound, np.nan) for bound in (low, high)]
    return [*bounds, p_values, benjamini_hochberg(p_values), holm(p_values)]


def _nothing(n_pairs: int) -> list[FloatArray]:
    return [np.full(n_pairs, np.nan)] * 5
