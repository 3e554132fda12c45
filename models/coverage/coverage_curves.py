"""Coverage by number of references: of sentences and of corpora, and of released estimates."""

from typing import Any

import pyarrow as pa

from maege.analysis.stored.coverage_rows import SCHEMA, crowd_rows, released_rows
from maege.analysis.stored.crowd_estimates import estimates_signature
from maege.analysis.stored.rows import rows_to_table


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, sentence (or none), measure, estimator and M."""
    redraws = int(dbt.config.meta_get("crowd_redraws"))
    seed = int(dbt.config.meta_get("seed"))
    level = float(dbt.config.meta_get("confidence_level"))
    signature = estimates_signature(redraws, seed)
    estimates = dbt.ref("unseen_estimates").filter(f"signature = '{signature}'")
    solutions = {
        histogram: (redrawn, found)
        for histogram, *redrawn_and_found in estimates.aggregate(
            "histogram, list(redrawn order by redraw) as redrawn, "
            "list(struct_pack(f := frequencies, v := variants) order by redraw) as found"
        ).fetchall()
        for redrawn, found in [redrawn_and_found]
    }
    histograms = (
        dbt.ref("answer_histograms")
        .order("corpus, measure, sentence_id")
        .select("corpus, measure, sentence_id, n_answers, histogram")
        .fetchall()
    )
    released = (
        dbt.ref("stg_corpus__frequency_estimates")
        .filter("variants > 0")
        .aggregate(
            "corpus, measure, name, list(frequency order by line) as frequencies, "
            "list(variants order by line) as variants"
        )
        .order("corpus, measure, name")
        .fetchall()
    )
    rows = [*crowd_rows(histograms, solutions, level), *released_rows(released, level)]
    return rows_to_table(rows, SCHEMA)
