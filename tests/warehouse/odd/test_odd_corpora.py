"""Corpora of odd shapes in one warehouse: the build passes, and excluded data have a reason."""

from pathlib import Path

import pytest
from building import query, value

BLANK = "the source is blank"
HIGHER = "higher scores are better here, lower scores in corpus contrary_names"
NOT_OF_LANGUAGETOOL = "metric not in ('grammaticality', 'lt', 'referenceless')"
# All ingested data, including unusable ones.
INGESTED = ("sentence_exclusions", "sentences", "system_outputs")
# 350 times four tokens after four others, and a full stop.
LOOP = "the output of loop has 1,405 tokens and 6,320 characters; max_sentence_tokens is 1,000"


def test_every_corpus_is_built(odd_warehouse: Path, odd_corpora: Path) -> None:
    rows = query(
        odd_warehouse,
        "select corpus from marts.corpora where not starts_with(corpus, 'case_') order by all",
    )
    assert [corpus for (corpus,) in rows] == sorted(folder.name for folder in odd_corpora.iterdir())


def test_a_dead_languagetool_leaves_its_own_rows_out(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select metric, is_available, n_scores, reason like '%before%of%texts' "
        "or reason like 'computed where its part grammaticality has a score: 0 of %' "
        "from marts.metric_availability "
        "where metric in ('grammaticality', 'lt', 'referenceless') and corpus is null order by all",
    )
    assert rows == [
        ("grammaticality", False, 0, True),
        ("lt", False, 0, True),
        ("referenceless", False, None, True),
    ]
    exclusions = (
        "select metric from marts.sentence_exclusions where stage = 'scores' and corpus = $1"
    )
    excluded_metrics = {metric for (metric,) in query(odd_warehouse, exclusions, "bars")}
    assert excluded_metrics == {"grammaticality", "lt", "referenceless"}


def test_sentences_that_nothing_can_use_say_why(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select corpus, sentence_id, reason, remedy is not null from marts.sentence_exclusions "
        "where stage = 'corpus' and not starts_with(corpus, 'case_') order by all",
    )
    assert rows == [
        ("blank_lines", 1, BLANK, True),
        ("blank_lines", 3, BLANK, True),
        ("edits_of_outputs", 1, BLANK, True),
        ("looping_output", 1, LOOP, True),
        ("nothing_usable", 0, BLANK, True),
        ("nothing_usable", 1, BLANK, True),
    ]


@pytest.mark.parametrize(
    ("corpus", "used_sentences"),
    [("blank_lines", [0, 2, 4]), ("looping_output", [0, 2, 3]), ("nothing_usable", [])],
)
def test_no_mart_has_scores_edits_or_nodes_of_them(
    corpus: str, used_sentences: list[int], odd_warehouse: Path
) -> None:
    with_sentences = query(
        odd_warehouse,
        "select table_name from duckdb_columns() "
        "where schema_name = 'marts' and column_name in ('corpus', 'sentence_id') "
        f"and table_name not in {INGESTED} group by table_name having count(*) = 2",
    )
    assert len(with_sentences) > 10
    for (mart,) in with_sentences:
        sentences_query = f"select distinct sentence_id from marts.{mart} where corpus = $1"
        assert {sentence for (sentence,) in query(odd_warehouse, sentences_query, corpus)} <= {
            *used_sentences
        }, mart


def test_systems_are_scored_and_ranked_over_the_rest(odd_warehouse: Path) -> None:
    sql = "select distinct system, sentence_id from marts.system_sentence_scores where corpus = $1"
    assert len(query(odd_warehouse, sql, "blank_lines")) == 3 * 3
    assert len(query(odd_warehouse, sql, "looping_output")) == 3 * 3
    # Two judges, three items, three pairs of systems.
    pairs = "select count(*) from judgments.judged_pairs where corpus = 'looping_output'"
    assert value(odd_warehouse, pairs) == 2 * 3 * 3


def test_judges_and_metrics_that_agree_correlate_over_the_rest(odd_warehouse: Path) -> None:
    # Judges prefer `careful` to `loop` to `copy`, which have no, one and only wrong lines.
    rows = query(
        odd_warehouse,
        "select distinct method, spearman_rho from marts.human_correlations "
        "where judgment_set = 'looping' and system_set = 'all' and metric in ('gleu', 'm2') "
        "order by all",
    )
    assert rows == [("expected_wins", 1), ("trueskill", 1)]


def test_annotations_that_no_lattice_can_use_say_why(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select corpus, sentence_id, annotator, any_value(reason), "
        "bool_and(remedy is not null) from marts.sentence_exclusions "
        "where annotator is not null and not starts_with(corpus, 'case_') "
        "group by all order by all",
    )
    assert rows == [
        ("kept_beyond", 0, "0", "an edit ends beyond the sentence", True),
        ("many_edits", 0, "0", "63 edits, a mask holds 62", True),
        ("overlapping", 0, "0", "two of its edits overlap", True),
        ("overlapping", 1, "1", "two of its edits overlap", True),
    ]


@pytest.mark.parametrize(
    ("corpus", "sentence_id", "annotator", "n_edits"),
    [
        ("kept_beyond", 0, "1", 2),
        ("many_edits", 0, "1", 2),
        ("many_edits", 3, "0", 62),
        ("overlapping", 0, "1", 1),
        ("overlapping", 1, "0", 2),
        ("overlapping", 2, "1", 2),
    ],
)
def test_lattices_of_the_other_annotators_stand(
    corpus: str, sentence_id: int, annotator: str, n_edits: int, odd_warehouse: Path
) -> None:
    rows = query(
        odd_warehouse,
        "select max(n_edits) from marts.lattice_nodes "
        "where corpus = $1 and sentence_id = $2 and annotator = $3 group by all order by all",
        corpus,
        sentence_id,
        annotator,
    )
    assert rows == [(n_edits,)]


def test_a_score_that_one_system_lacks_counts_for_none(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select metric, system, corpus_score, rank, too_few from marts.system_scores "
        "where corpus = 'score_gaps' and metric in ('gaps', 'one_score', 'one_system') "
        "order by all",
    )
    # `copy` has no score of sentence 1 in `gaps`; there is no rank with so few sentences.
    no_rank = (None, "sentences")
    assert rows == [
        ("gaps", "careful", pytest.approx((0.9 + 0.7 + 0.6) / 3), *no_rank),
        ("gaps", "copy", pytest.approx((0.5 + 0.3 + 0.1) / 3), *no_rank),
        ("one_score", "careful", 0.25, *no_rank),
        ("one_system", "partly", 2.5, *no_rank),
    ]


def test_scores_that_are_not_there_say_so(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select metric, system, list(sentence_id order by sentence_id), "
        "any_value(reason_code) from marts.sentence_exclusions "
        f"where corpus in ('score_gaps', 'scores_apart') and {NOT_OF_LANGUAGETOOL} "
        "group by all order by all",
    )
    nothing, gap = "system_not_ingested", "score_not_ingested"
    assert rows == [
        ("apart", "careful", [2, 3], gap),
        ("apart", "copy", [0, 1], gap),
        ("gaps", "copy", [1], gap),
        ("gaps", "partly", [0, 1, 2, 3], nothing),
        ("one_score", "careful", [0, 1, 3], gap),
        ("one_score", "copy", [0, 1, 2, 3], nothing),
        ("one_score", "partly", [0, 1, 2, 3], nothing),
        ("one_system", "careful", [0, 1, 2, 3], nothing),
        ("one_system", "copy", [0, 1, 2, 3], nothing),
    ]


def test_scores_with_a_taken_name_are_excluded(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select corpus, metric, any_value(reason), count(*) from marts.sentence_exclusions "
        f"where corpus in ('contrary_names', 'taken_names') and {NOT_OF_LANGUAGETOOL} "
        "group by all order by all",
    )
    # Two systems and two sentences of each.
    assert rows == [
        ("taken_names", "gleu", "a metric that is scored here has this name", 4),
        ("taken_names", "outside", HIGHER, 4),
    ]
    # Lower is better in the first corpus; the perfect output has GLEU 1 in the other.
    is_higher = "select higher_is_better from corpora.metric_directions where metric = 'outside'"
    assert query(odd_warehouse, is_higher) == [(False,)]
    gleu = (
        "select corpus_score from marts.system_scores where metric = 'gleu' "
        "and corpus = 'taken_names' and system = 'careful'"
    )
    assert value(odd_warehouse, gleu) == 1


@pytest.mark.parametrize(
    ("judgment_set", "correlations"),
    [
        # One judge who prefers the better of two outputs.
        ("noop", {1.0}),
        ("once", {1.0}),
        # Judges without preferences; metrics without any, because all outputs are the same.
        ("alike", {None}),
        ("one_screen", {None}),
        ("tied", {None}),
        # One system alone; systems without outputs.
        ("single", set()),
        ("unseen", set()),
        # No references: M2 scores nothing.
        ("bare", set()),
    ],
)
def test_rankings_of_few_judgments_correlate_or_have_none(
    judgment_set: str, correlations: set[float | None], odd_warehouse: Path
) -> None:
    rows = query(
        odd_warehouse,
        "select distinct spearman_rho from marts.human_correlations "
        "where judgment_set = $1 and metric = 'm2'",
        judgment_set,
    )
    assert {rho for (rho,) in rows} == correlations


@pytest.mark.parametrize(
    ("corpus", "n_chains", "n_pairs"),
    [
        # One annotator, two edits: one chain of three nodes.
        ("one_of_each", 1, 3),
        # Two and three edits, and twice one: 3 + 6 + 1 + 1 pairs.
        ("no_systems", 4, 11),
        ("all_noop", 0, 0),
        ("nothing_usable", 0, 0),
    ],
)
def test_lattices_of_few_sentences_have_all_their_pairs(
    corpus: str, n_chains: int, n_pairs: int, odd_warehouse: Path
) -> None:
    rows = query(
        odd_warehouse,
        "select n_chains, n_pairs from marts.sentence_correlations where corpus = $1 "
        "and experiment = 'random_source' and metric = 'gleu'",
        corpus,
    )
    assert rows == ([(n_chains, n_pairs)] if n_chains else [])


def test_systems_that_write_the_same_have_one_score(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select metric, count(*), count(distinct corpus_score), count(rank) "
        "from marts.system_scores where corpus = 'same_outputs' and metric in ('m2', 'zeros') "
        "group by all order by all",
    )
    # With so few sentences there is no rank.
    assert rows == [("m2", 3, 1, 0), ("zeros", 3, 1, 0)]


def test_an_output_of_nothing_is_scored(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select sentence_id, score from marts.system_sentence_scores "
        "where corpus = 'nothing_written' and metric = 'ld' order by all",
    )
    assert rows == [(0, 0.0), (1, 0.0), (2, 0.0)]


def test_numbers_of_a_corpus_called_like_a_papers_differ_with_a_reason(
    odd_warehouse: Path,
) -> None:
    # The output is perfect: F.5 is 100, and 35.01 in the paper.
    rows = query(
        odd_warehouse,
        "select reproduced, status, note from marts.replication "
        "where exhibit = 'official_scores' and row_label = 'AMU' and column_label = 'f'",
    )
    assert rows == [(100.0, "differs", "What is ingested is not what the paper had.")]
