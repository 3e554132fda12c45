"""The LanguageTool checks that each grammar metric reads, and how it counts their matches."""

from typing import Any

from maege.analysis.languagetool.installation import has_code, language_code
from maege.analysis.metrics.languagetool import GRAMMAR_METRICS, rules_in
from maege.analysis.stored.rows import rows_to_table, table_schema

# `language_code` is LanguageTool's code; `least` is the minimum score, NULL without one.
SCHEMA = table_schema(
    "metric varchar, language varchar, check_key bigint, languagetool varchar, "
    "language_code varchar, sent_rules varchar[], disabled_rules varchar[], counts varchar, "
    "least double"
)


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    languages = dbt.source("raw", "corpora").select("language").distinct().order("all").fetchall()
    return rows_to_table(
        [
            (
                metric.name,
                language,
                metric.check_key(language),
                metric.languagetool,
                language_code(language),
                rules_in(language, metric.sent_rules),
                rules_in(language, metric.disabled_rules),
                metric.counts,
                metric.least,
            )
            for metric in GRAMMAR_METRICS.values()
            for (language,) in languages
            if has_code(metric.languagetool, language)
        ],
        SCHEMA,
    )
