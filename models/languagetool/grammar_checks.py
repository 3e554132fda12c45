"""What LanguageTool found in every text: append-only, so that no text is sent twice."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from analysis.languagetool.checking import check_texts
from analysis.languagetool.installation import SERVER_VERSION
from analysis.stored.append_only import AppendOnlyModel
from analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "check_key": pa.int64(),
        "text_id": pa.int64(),
        # Why there is no result, NULL if there is one.
        "error": pa.string(),
        "rule_ids": pa.list_(pa.string()),
        "categories": pa.list_(pa.string()),
        # In characters of the text, its white space squeezed to single spaces.
        "offsets": pa.list_(pa.int32()),
        "lengths": pa.list_(pa.int32()),
    }
)
SERVER_CONNECTIONS, PROCESSES = 4, 2


def model(dbt: Any, session: Any) -> Any:
    """Return one row per text and check that has none yet."""
    checks = AppendOnlyModel(dbt, session, SCHEMA, "check_key, text_id", workers=1)
    missing = checks.missing(dbt.ref("grammar_requests"), "check_key, corpus, sentence_id, text_id")
    if missing.num_rows:
        texts = dict(dbt.ref("texts").select("text_id, text").fetchall())
        metrics = dbt.ref("grammar_metrics").select("check_key, languagetool, sent_rules")
        for check_key, version, rules in sorted(set(_hashable(metrics.fetchall()))):
            wanted = missing.filter(pa.compute.equal(missing["check_key"], check_key))
            ids = wanted["text_id"].to_pylist()
            if ids:
                checks.keep(
                    f"LanguageTool {version}",
                    _rows(check_key, version, rules, ids, [texts[text_id] for text_id in ids]),
                    len(ids),
                )
    return checks.new_rows()


def _rows(
    check_key: int, version: str, rules: tuple[str, ...], ids: list[int], texts: list[str]
) -> Iterator[pa.Table]:
    workers = SERVER_CONNECTIONS if version == SERVER_VERSION else PROCESSES
    squeezed = (" ".join(text.split()) for text in texts)
    done = 0
    for chunk in check_texts(version, squeezed, workers, disabled_rules=rules):
        part = ids[done : done + len(chunk)]
        done += len(chunk)
        yield rows_to_table(
            [
                {
                    "check_key": check_key,
                    "text_id": text_id,
                    "error": checked.error,
                    "rule_ids": [match.rule_id for match in checked.matches],
                    "categories": [match.category for match in checked.matches],
                    "offsets": [match.offset for match in checked.matches],
                    "lengths": [match.length for match in checked.matches],
                }
                for text_id, checked in zip(part, chunk, strict=True)
            ],
            SCHEMA,
        )


def _hashable(rows: list[tuple[int, str, list[str]]]) -> list[tuple[int, str, tuple[str, ...]]]:
    return [(check_key, version, tuple(rules)) for check_key, version, rules in rows]
