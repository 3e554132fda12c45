"""Corpora of four languages in one warehouse: each metric scores only what it can read."""

from pathlib import Path

import duckdb
import pytest
from building import (
    BUILD,
    BUILD_WITHOUT_TESTS,
    FEW_RESAMPLES,
    Rows,
    copy_of,
    mart_names,
    query,
    run,
    variables,
)

from maege.analysis.metrics.registry import METRICS

TOYS = ("toy_ja", "toy_uk", "toy_uk_dev", "toy_zh")
# Metrics that run on this machine.
ENGLISH_ALONE = tuple(name for name in ("fluency", "meaning") if METRICS[name].missing is None)
READ_EDITS = (
    *("cleme", "gotoscorer"),
    *(name for name in ("errant",) if METRICS[name].missing is None),
)
ANY_LANGUAGE = ("bleu", "chrf", *READ_EDITS, "gleu", "green", "imeasure")
SELECTED = (*ENGLISH_ALONE, *ANY_LANGUAGE, "ld", "m2")
UNREAD = {(metric, toy) for metric in ENGLISH_ALONE for toy in TOYS}
OF_SELECTED = variables(**FEW_RESAMPLES, metrics=SELECTED)
# Positions of statistics in marts, and hashes, say nothing about English texts.
UNCOMPARED = ("fingerprint", "ingested_at")


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    warehouse = tmp_path_factory.mktemp("english") / "warehouse"
    run("maege", warehouse, "ingest", "tests/corpora/toy_en")
    run("dbt", warehouse, *BUILD_WITHOUT_TESTS, *OF_SELECTED)
    return warehouse


@pytest.fixture(scope="module")
def mixed(english: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    warehouse = copy_of(english, tmp_path_factory.mktemp("mixed") / "warehouse")
    for toy in TOYS:
        run("maege", warehouse, "ingest", f"tests/corpora/{toy}")
    run("dbt", warehouse, *BUILD, *OF_SELECTED)
    run("maege", warehouse, "publish")
    return warehouse


def test_metrics_say_of_a_corpus_why_they_cannot_read_it_or_have_no_rules(mixed: Path) -> None:
    rows = query(
        mixed,
        "select metric, corpus, is_available, reason, remedy from marts.metric_availability "
        "where corpus is not null",
    )
    unread = {row[:2]: row[3] for row in rows if not row[2]}
    assert unread == {
        (metric, toy): f"reads en; the corpus is in {toy[4:6]}" for metric, toy in UNREAD
    }
    without_rules = {row[:2]: row[3] for row in rows if row[2]}
    assert without_rules.keys() == {(metric, toy) for metric in READ_EDITS for toy in TOYS}
    assert all("ERRANT has no rules for" in reason for reason in without_rules.values())
    assert all(remedy for *_, remedy in rows)


def test_self_referenced_metrics_are_no_best_ones_and_have_no_rank_on_cards(mixed: Path) -> None:
    best = "select 1 from marts.best_metrics inner join marts.metrics using (metric) "
    assert not query(mixed, best + "where judgment_set is null and reference_based")
    ranked = "from marts.metric_cards inner join marts.metrics using (metric) where reference_based"
    sections = "('corpus', 'sentence', 'edit')"
    assert not query(mixed, f"{ranked} and rank is not null and section in {sections}")


def test_they_have_no_rows_of_it_in_any_mart(mixed: Path) -> None:
    unread: Rows = []
    with duckdb.connect(mixed / "build.duckdb", read_only=True) as build:
        for mart in mart_names(mixed):
            if {"corpus", "metric"} <= columns_of(build, mart) and mart != "metric_availability":
                section_condition = "and section <> 'coverage'" if mart == "metric_cards" else ""
                unread += build.execute(
                    f"select distinct '{mart}', corpus, metric from marts.{mart} "
                    f"where (metric, corpus) in {tuple(sorted(UNREAD))} {section_condition}",
                ).fetchall()
    assert not unread


def test_nor_do_they_read_a_text_that_english_has_as_well(mixed: Path) -> None:
    rows = query(
        mixed,
        "select language, list(distinct family order by family) "
        "filter (where family in ('fluency', 'meaning')) "
        "from pairs.texts inner join caches.metric_statistics "
        "on text_id = hypothesis_text_id where text = '2 + 2 = 4 .' group by all order by all",
    )
    assert [language for language, _ in rows] == ["en", "uk"]
    english_families, ukrainian_families = (set(families or []) for _, families in rows)
    assert english_families == {"fluency", "meaning"} & {*ENGLISH_ALONE}
    assert not ukrainian_families


def test_all_other_metrics_score_every_language(mixed: Path) -> None:
    rows = query(
        mixed,
        "select corpus, list(distinct metric order by metric) from marts.system_scores "
        "group by all order by all",
    )
    other_metrics = sorted({*ANY_LANGUAGE, "ld", "m2"})
    assert rows == [
        ("toy_en", sorted({*other_metrics, *ENGLISH_ALONE})),
        *((toy, other_metrics) for toy in TOYS),
    ]


def test_characters_and_tokens_of_another_script_are_counted(mixed: Path) -> None:
    # 我 把 作 业 写 。 has 11 characters with its spaces; " 完 了" inserts 4. One of
    # the rough outputs is an annotator's, the other lacks a correct token.
    rows = query(
        mixed,
        "select metric, system, sentence_id, score from marts.system_sentence_scores "
        "where corpus = 'toy_zh' and (metric, system, sentence_id) "
        "in (('ld', 'careful', 7), ('m2', 'rough', 1), ('m2', 'rough', 3)) order by all",
    )
    assert rows == [
        ("ld", "careful", 7, pytest.approx(1 - 4 / 11)),
        ("m2", "rough", 1, 1.0),
        ("m2", "rough", 3, 0.0),
    ]


def test_signatures_name_the_extractor_of_each_language(mixed: Path) -> None:
    # One row has the signatures of all languages. Without ERRANT all have the same extractor.
    ((listed,),) = query(mixed, "select signature from marts.metrics where metric = 'm2'")
    signatures = set(listed.split("; "))
    assert len(signatures) == (4 if "errant" in READ_EDITS else 1)
    of_others = [signature for signature in signatures if "|language:" in signature]
    assert all("else:levenshtein-tokens" in signature for signature in of_others)


def test_english_is_unaffected_by_other_languages(english: Path, mixed: Path) -> None:
    changed = []
    with (
        duckdb.connect(english / "build.duckdb", read_only=True) as english_connection,
        duckdb.connect(mixed / "build.duckdb", read_only=True) as mixed_connection,
    ):
        for mart in mart_names(english):
            columns = columns_of(english_connection, mart)
            if "corpus" not in columns:
                continue
            column_list = ", ".join(f'"{name}"' for name in sorted(columns.difference(UNCOMPARED)))
            sql = f"select {column_list} from marts.{mart} where corpus = 'toy_en' order by all"
            if mart == "corrupted_edit_agreement":
                # Chance has rows for all corpora if one of them has a corrupted node.
                sql = sql.replace("order by", "and not starts_with(metric, 'chance_') order by")
            if (
                english_connection.execute(sql).fetchall()
                != mixed_connection.execute(sql).fetchall()
            ):
                changed.append(mart)
    assert not changed


def columns_of(build: duckdb.DuckDBPyConnection, mart: str) -> set[str]:
    return {name for name, *_ in build.execute(f"describe marts.{mart}").fetchall()}


def test_cards_and_report_hold_any_script(mixed: Path, tmp_path: Path) -> None:
    assert "bleu on toy_zh" in run("maege", mixed, "card", "bleu", "--corpus", "toy_zh")
    run("maege", mixed, "report", "--corpus", "toy_zh", "--out", tmp_path)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "toy_zh" in page
    assert "我" in page
    # Missing metrics of the corpus that the report is about.
    assert ("reads en; the corpus is in zh" in page) == bool(ENGLISH_ALONE)
    assert "the corpus is in ja" not in page
