"""Append-only cache of LanguageTool's matches: no text is checked twice.

If a version does not start, or stops for good, its remaining texts stay unchecked. Finished texts
are stored, `metric_availability` names what is missing, and the next build continues.
"""

import sys
from typing import Any

import pyarrow.compute as pc

from maege.analysis.languagetool.matches import LanguageToolError
from maege.analysis.stored.caches import AppendOnlyModel
from maege.analysis.stored.grammar_rows import SCHEMA, Check, check_chunk, check_here, plan_checks


def model(dbt: Any, session: Any) -> Any:
    checks = AppendOnlyModel(dbt, session, SCHEMA, "check_key, text_id", workers=1)
    missing = checks.missing(dbt.ref("grammar_requests"), "check_key, corpus, sentence_id, text_id")
    if missing.num_rows:
        texts = dict(dbt.ref("texts").select("text_id, text").fetchall())
        requested = dbt.ref("grammar_metrics").select(
            "check_key, languagetool, language_code, sent_rules"
        )
        for key, version, language, rules in requested.distinct().order("all").fetchall():
            check = Check(key, version, language, tuple(rules))
            check_requests = missing.filter(pc.equal(missing["check_key"], check.key))
            try:
                _check(checks, check, check_requests["text_id"].to_pylist(), texts)
            except LanguageToolError as error:
                sys.stderr.write(f"LanguageTool {check.version} left texts unchecked: {error}\n")
    return checks.new_rows()


def _check(checks: AppendOnlyModel, check: Check, ids: list[int], texts: dict[int, str]) -> None:
    if not ids:
        return
    task = f"LanguageTool {check.version}"
    work = (check, ids, [texts[text_id] for text_id in ids])
    if checks.scheduler is not None:
        checks.compute(task, check_chunk, plan_checks(*work), len(ids), tools=(check.version,))
    else:
        checks.keep(task, check_here(*work), len(ids))
