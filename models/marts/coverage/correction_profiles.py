"""How much systems, references and annotators change, over the sentences of a corpus."""

from typing import Any

import pyarrow as pa

from maege.analysis.stored.coverage.profile_rows import PROFILES, profile_rows
from maege.analysis.stored.rows import built_modes, rows_of, rows_to_table


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, corrector, measure and bin."""
    texts = (
        dbt.ref("corrected_texts")
        .order("corpus, sentence_id, corrector_kind, corrector")
        .select("corpus, corrector_kind, corrector, source, text")
    )
    level = float(dbt.config.meta_get("confidence_level"))
    found = profile_rows(rows_of(texts), level, built_modes(dbt.config.meta_get("replication")))
    return rows_to_table(found, PROFILES)
