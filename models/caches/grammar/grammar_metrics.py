"""The LanguageTool checks that each grammar metric reads, and how it counts their matches."""

from typing import Any

import pyarrow as pa

from maege.analysis.languagetool.installation import has_code, language_code
from maege.analysis.metrics.languagetool import GRAMMAR_METRICS, rules_in
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "metric": pa.string(),
        "language": pa.string(),
        "check_key": pa.int64(),
        "languagetool": pa.string(),
        # LanguageTool's code of the language.
        "language_code": pa.string(),
        "sent_rules": pa.list_(pa.string()),
        "disabled_rules": pa.list_(pa.string()),
        "counts": pa.string(),
        # Minimum score; NULL without one.
        "least": pa.float64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per grammar metric and supported language of a corpus."""
    languages = dbt.source("raw", "corpora").select("language").distinct().order("all").fetchall()
    return rows_to_table(
        [
            {
                "metric": metric.name,
                "language": language,
                "check_key": metric.check_key(language),
                "languagetool": metric.languagetool,
                "language_code": language_code(language),
                "sent_rules": list(rules_in(language, metric.sent_rules)),
                "disabled_rules": list(rules_in(language, metric.disabled_rules)),
                "counts": metric.counts,
                "least": metric.least,
            }
            for metric in GRAMMAR_METRICS.values()
            for (language,) in languages
            if has_code(metric.languagetool, language)
        ],
        SCHEMA,
    )
