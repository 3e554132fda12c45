"""Human scores of systems, and the same in bootstrap resamples of source sentences.

One row per judgment set, selection of systems, method and system. Judgments that involve a system
outside the selection are excluded, as in published rankings of fewer systems. If a resample has no
judgment of a system, its score is missing. A selection without judgments has no row.
"""

from typing import Any

from maege.analysis.stored.judgments import judged_scores
from maege.analysis.stored.rows import sql_list


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    """Return the rows of the cache for the judgment sets that are ingested now."""
    requests = judged_scores(
        dbt.ref("judged_pairs"),
        dbt.ref("judged_systems"),
        dbt.source("raw", "corpora"),
        dbt.settings,
    )
    return (
        dbt.ref("human_score_cache")
        .filter(f"judgments_key in {sql_list(scores.key for scores in requests)}")
        .select("* exclude (judgments_key)")
    )
