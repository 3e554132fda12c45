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
    """The folder of a warehouse with a corpus in English, built."""
    warehouse = tmp_path_factory.mktemp("english") / "warehouse"
    run("maege", warehouse, "ingest", "tests/corpora/toy_en")
    run("dbt", warehouse, *BUILD_WITHOUT_TESTS, *OF_SELECTED)
    return warehouse


@pytest.fixture(scope="module")
def mixed(english: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with Japanese, Ukrainian and Chinese, built with dbt's tests."""
    warehouse = copy_of(english, tmp_path_factory.mktemp("mixed") / "warehouse")
    for toy in TOYS:
        run("maege", warehouse, "ingest", f"tests/corpora/{toy}")
    run("dbt", warehouse, *BUILD, *OF_SELECTED)
    run("maege", warehouse, "publish")
    return warehouse


def test_metrics_that_cannot_read_a_corpus_say_so(mixed: Path) -> None:
    rows = query(
        mixed,
        "select metric, corpus, reason from marts.metric_availability "
        "where corpus is not null and not is_available order by all",
    )
    assert {(metric, corpus) for metric, corpus, _ in rows} == UNREAD
    reasons = {(metric, corpus): reason for metric, corpus, reason in rows}
    assert reasons == {
        (metric, toy): f"reads en; the corpus is in {toy[4:6]}" for metric, toy in UNREAD
    }
    assert not query(
        mixed, "from marts.metric_availability where corpus is not null and remedy is null"
    )


def test_metrics_that_compare_edits_say_where_errant_has_no_rules(mixed: Path) -> None:
    rows = query(
        mixed,
        "select metric, corpus, reason from marts.metric_availability "
        "where corpus is not null and is_available",
    )
    assert {(metric, corpus) for metric, corpus, _ in rows} == {
        (metric, toy) for metric in READ_EDITS for toy in TOYS
    }
    assert all("ERRANT has no rules for" in reason for *_, reason in rows)


def test_self_referenced_metrics_have_no_rank(mixed: Path) -> None:
    ranks = query(
        mixed,
        "select distinct reference_based, no_rank = 'self-referenced', rank is null "
        "from marts.sentence_correlations inner join marts.metrics using (metric) "
        "inner join marts.lattices using (corpus) "
        "where references_mode = 'own' and reference_based order by all",
    )
    assert ranks == [(True, True, True)]
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
                condition = "and section <> 'coverage'" if mart == "metric_cards" else ""
                unread += build.execute(
                    f"select distinct '{mart}', corpus, metric from marts.{mart} "
                    f"where (metric, corpus) in {tuple(sorted(UNREAD))} {condition}",
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
    english, ukrainian = (set(families or []) for _, families in rows)
    assert english == {"fluency", "meaning"} & {*ENGLISH_ALONE}
    assert not ukrainian


def test_all_other_metrics_score_every_language(mixed: Path) -> None:
    rows = query(
        mixed,
        "select corpus, list(distinct metric order by metric) from marts.system_scores "
        "group by all order by all",
    )
    metrics = sorted({*ANY_LANGUAGE, "ld", "m2"})
    assert rows == [
        ("toy_en", sorted({*metrics, *ENGLISH_ALONE})),
        *((toy, metrics) for toy in TOYS),
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


def test_edits_of_other_languages_are_typed_by_operation(mixed: Path) -> None:
    rows = query(
        mixed,
        "select corpus, sentence_id, error_type, original, correction, n_references "
        "from marts.system_edits where system = 'careful' and corpus in ('toy_uk', 'toy_zh') "
        "and sentence_id in (0, 7) order by all",
    )
    assert rows == [
        ("toy_uk", 0, "R", "в", "до", 1),
        ("toy_uk", 7, "M", "", ".", 1),
        ("toy_zh", 0, "U", "里", "", 2),
        ("toy_zh", 7, "M", "", "完 了", 1),
    ]


@pytest.mark.skipif("errant" not in READ_EDITS, reason="ERRANT is not installed")
def test_types_of_annotators_are_taken_as_they_are(mixed: Path) -> None:
    assert query(
        mixed,
        "select count(*) > 0 from marts.type_deltas "
        "where corpus = 'toy_uk' and metric = 'errant' and error_type = 'G/Case'",
    ) == [(True,)]
    # A different edit by `rough` has the type of the annotator's edit at its place (the verb of a
    # calque is missing), or its operation (an insertion at a place without a gold edit).
    assert query(
        mixed,
        "select error_type, tp, fp, fn from marts.type_scores "
        "where corpus = 'toy_uk' and system = 'rough' order by all",
    ) == [
        ("F/Calque", 1, 1, 1),
        ("F/Style", 1, 0, 0),
        ("G/Case", 1, 0, 1),
        ("M", 1, 0, 0),
        ("Spelling", 1, 0, 0),
        ("U", 0, 1, 0),
    ]


def test_signatures_name_the_extractor_of_each_language(mixed: Path) -> None:
    rows = query(
        mixed,
        "select signature from marts.metrics where metric = 'm2'",
    )
    # One row has the signatures of all languages.
    signatures = [signature for (listed,) in rows for signature in listed.split("; ")]
    assert len(set(signatures)) == len(signatures)
    assert all("else:levenshtein-tokens" in each for each in signatures if "|language:" in each)
    # Without ERRANT all languages have the same extractor.
    assert len(signatures) == (4 if "errant" in READ_EDITS else 1)
    assert query(mixed, "select count(*) from marts.metrics where metric = 'bleu'") == [(1,)]


def test_english_is_unaffected_by_other_languages(english: Path, mixed: Path) -> None:
    changed = []
    with (
        duckdb.connect(english / "build.duckdb", read_only=True) as alone,
        duckdb.connect(mixed / "build.duckdb", read_only=True) as mixed_connection,
    ):
        for mart in mart_names(english):
            columns = columns_of(alone, mart)
            if "corpus" not in columns:
                continue
            named = ", ".join(f'"{name}"' for name in sorted(columns.difference(UNCOMPARED)))
            sql = f"select {named} from marts.{mart} where corpus = 'toy_en' order by all"
            if mart == "corrupted_edit_agreement":
                # Chance has rows for all corpora if one of them has a corrupted node.
                sql = sql.replace("order by", "and not starts_with(metric, 'chance_') order by")
            if alone.execute(sql).fetchall() != mixed_connection.execute(sql).fetchall():
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
