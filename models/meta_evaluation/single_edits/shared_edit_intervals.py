"""Intervals of tau by how many references make the added edit, over source sentences."""

from typing import Any

import pyarrow as pa

from maege.analysis.stored.lattices.sentence_means import sentence_means
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        **dict.fromkeys(("corpus", "mode", "metric", "made_by", "too_few"), pa.string()),
        **dict.fromkeys(("ci_low", "ci_high", "gamma_ci_low", "gamma_ci_high"), pa.float64()),
    }
)
KEY = "corpus, mode, sentence_id, metric, coalesce(stratum, '') as made_by"


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, metric and `made_by`, NULL for all pairs together."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    counts = dbt.ref("outcome_counts").filter("question = 'shared_edits'")
    taus = counts.select(f"{KEY}, n_pairs as n_values, n_concordant - n_discordant as total")
    gammas = counts.filter("n_concordant + n_discordant > 0").select(
        f"{KEY}, n_concordant + n_discordant as n_values, n_concordant - n_discordant as total"
    )
    of_gamma = {
        each.key: (each.low, each.high)
        for each in sentence_means(gammas, ("metric", "made_by"), samples, level, seed)
    }
    rows = []
    for each in sentence_means(taus, ("metric", "made_by"), samples, level, seed):
        *key, made_by = each.key
        bounds = (each.low, each.high, *of_gamma.get(each.key, (None, None)))
        rows.append((*key, made_by or None, each.too_few, *bounds))
    return rows_to_table(rows, SCHEMA)
