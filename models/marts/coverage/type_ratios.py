"""Number of edits of each type by systems relative to annotators, with intervals."""

from typing import Any

from maege.analysis.stored.corrections import ratio_rows
from maege.analysis.stored.rows import contract_schema, rows_to_table


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    sums = (
        dbt.ref("type_sums")
        .order("corpus, reference_set, system, error_type")
        .select(
            "corpus, reference_set, system, error_type, n_systems, n_annotators, n_sentences, "
            "x, y, xx, xy, yy"
        )
        .fetchall()
    )
    return rows_to_table(ratio_rows(sums, dbt.settings.confidence_level), contract_schema(dbt))
