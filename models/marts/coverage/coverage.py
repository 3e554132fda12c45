"""Coverage by number of references, for sentences, corpora and released estimates."""

from typing import Any

from maege.analysis.stored.coverage import (
    ESTIMATORS,
    crowd_rows,
    estimates_signature,
    released_rows,
)
from maege.analysis.stored.rows import contract_schema, rows_to_table


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    redraws, seed = dbt.settings.crowd_redraws, dbt.settings.seed
    signatures = {estimates_signature(name, redraws, seed): name for name in ESTIMATORS}
    solutions = {
        (signatures[signature], histogram): (redrawn, resample_estimates)
        for signature, histogram, redrawn, resample_estimates in dbt.ref("unseen_estimates")
        .filter(f"signature in {(*signatures,)}")
        .aggregate(
            "signature, histogram, list(redrawn order by redraw) as redrawn, "
            "list(struct_pack(f := frequencies, v := variants) order by redraw) as found"
        )
        .fetchall()
    }
    histograms = (
        dbt.ref("answer_histograms")
        .order("corpus, measure, sentence_id")
        .select("corpus, measure, sentence_id, n_answers, histogram")
        .fetchall()
    )
    rows = list(crowd_rows(histograms, solutions, dbt.settings.confidence_level))
    if dbt.settings.replication:
        estimates = (
            dbt.source("raw", "frequency_estimates")
            .filter("variants > 0")
            .aggregate(
                "corpus, measure, name, list(frequency order by line) as frequencies, "
                "list(variants order by line) as variants"
            )
            .order("corpus, measure, name")
        )
        rows += released_rows(estimates.fetchall(), dbt.settings.confidence_level)
    return rows_to_table(rows, contract_schema(dbt))
