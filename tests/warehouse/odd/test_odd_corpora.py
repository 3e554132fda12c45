"""Corpora of odd shapes in one warehouse: the build passes, and excluded data have a reason.

Each case of ../shared/cases is one of them (`case_...`) where that folder exists. tests/corpora/odd
has corpora of the same kinds for every clone.
"""

from pathlib import Path

import pytest
from building import Rows, query

from maege.ingest.findings import BadInputError
from maege.ingest.load import ingest_folder
from maege.ingest.warehouse import Warehouse

Queries = list[tuple[str, Rows]]
BLANK = "the source is blank"
HIGHER = "higher scores are better here, lower scores in corpus contrary_names"
NOT_OF_LANGUAGETOOL = "metric not in ('grammaticality', 'lt', 'referenceless')"
# All ingested data, including unusable ones.
INGESTED = ("sentence_exclusions", "sentences", "system_outputs")
# 350 times four tokens after four others, and a full stop.
LOOP = "the output of loop has 1,405 tokens and 6,320 characters; max_sentence_tokens is 1,000"
# Of a corpus that was judged: 300 times.
JUDGED_LOOP = (
    "the output of loop has 1,207 tokens and 5,229 characters; max_sentence_tokens is 1,000"
)
EXCLUDED = (
    "select sentence_id, annotator, reason, count(*) from marts.sentence_exclusions "
    "where corpus = '{0}' and stage = 'lattices' and annotator is not null group by all"
)
NODES = (
    "select sentence_id, annotator, max(n_edits) from marts.lattice_nodes "
    "where corpus = '{0}' group by all order by all"
)
LEFT_OUT = (
    "select sentence_id, reason from marts.sentence_exclusions "
    "where corpus = '{0}' and stage = 'corpus'"
)
M2 = (
    "select system, round(corpus_score, 4) from marts.system_scores "
    "where corpus = '{0}' and metric = 'm2' order by all"
)
# Metrics that give every correct output 1.
PERFECT = (
    "select system, count(*) from marts.system_scores where corpus = '{0}' and corpus_score = 1 "
    "and metric in ('m2', 'errant', 'imeasure', 'cleme', 'green', 'min_ld') group by all"
)
RANKS = "select sentence_id, system, rank from marts.rankings where corpus = '{0}' order by all"
FINDINGS = (
    "select path, line, kind, treatment from marts.ingest_findings "
    "where corpus = '{0}' order by all"
)
TEXTS = (
    "select s.sentence_id, s.source_text, r.text from marts.sentences as s "
    "inner join marts.reference_texts as r using (corpus, sentence_id) "
    "where corpus = '{0}' order by all"
)
SCORED = (
    "select count(distinct (system, sentence_id)) from marts.system_sentence_scores "
    "where corpus = '{0}'"
)
CHAINS = (
    "select n_chains, n_pairs from marts.sentence_correlations where corpus = '{0}' "
    "and experiment = 'random_source' and metric = 'gleu'"
)
JUDGED_PAIRS = "select count(*) from judgments.judged_pairs where corpus = '{0}'"
UNSCORED = (
    "select metric, system, list(sentence_id order by sentence_id), any_value(reason_code) "
    f"from marts.sentence_exclusions where corpus = '{{0}}' and {NOT_OF_LANGUAGETOOL} "
    "group by all order by all"
)
TAKEN = (
    "select metric, any_value(reason), count(*) from marts.sentence_exclusions "
    f"where corpus = '{{0}}' and {NOT_OF_LANGUAGETOOL} group by all order by all"
)
# With so few sentences there is no rank.
NO_RANK = (None, "sentences")
NOTHING, GAP = "system_not_ingested", "score_not_ingested"
HE, SHE = (0, "He go home .", "He goes home ."), (1, "She like cats .", "She likes cats .")
# Corpora that ingest rejects, each with its finding (REFUSED_CASES of conftest.py).
REFUSED = {
    "f_wi_json": "lines of text, such as",
    "s_quotes": "quotation marks",
    "s_untok": "untokenised",
}
# One edit of two, and nothing else: precision 1, recall 1/2, F.5 is 1.25 P R / (.25 P + R).
HALF = round(1.25 * 0.5 / 0.75, 4)
# Two of three correct ones, and a wrong one in place of the third.
TWO_OF_THREE = round(2 / 3, 4)

CASES: dict[str, Queries] = {
    "all_unk": [
        (PERFECT, [("perfect", 6)]),
        (NODES, [(0, "0", 2), (1, "0", 2), (2, "0", 1)]),
        (
            "select contains(signature, 'gold:{0}:main=auto') from marts.metrics "
            "where metric = 'errant'",
            [(True,)],
        ),
    ],
    "bars": [
        (PERFECT, [("sys", 6)]),
        (
            "select text from marts.lattice_nodes where corpus = '{0}' and annotator = 'r0' "
            "and n_edits = 1 order by all",
            [("The table has | a || b | .",), ("Write or as || in this language .",)],
        ),
    ],
    "cherrant": [
        (NODES, [(0, "0", 2), (0, "0-A1", 3), (0, "1", 3)]),
        (M2, [("copy", 0), ("perfect", 1)]),
    ],
    "empty_source": [
        (LEFT_OUT, [(1, BLANK)]),
        (M2, [("copy", 0), ("sys", TWO_OF_THREE)]),
        ("select count(*) from marts.lattice_nodes where corpus = '{0}'", [(0,)]),
    ],
    # Blank lines delete the sentence if the manifest does not define them.
    "extracted": [
        (
            NODES,
            [(0, "r0", 2), (0, "r1", 4), (0, "r2", 2), (1, "r0", 1), (1, "r1", 1), (1, "r2", 1)],
        ),
        ("select count(*) from marts.reference_texts where corpus = '{0}'", [(24,)]),
    ],
    "extracted_none": [
        (NODES, [(0, "r0", 2), (0, "r1", 4), (0, "r2", 2), (1, "r0", 1)]),
        ("select count(*) from marts.reference_texts where corpus = '{0}'", [(22,)]),
    ],
    "few_annotators": [
        (NODES, [(0, "0", 2), (0, "1", 2), (0, "2", 1), (1, "0", 2)]),
        (PERFECT, [("other", 6)]),
    ],
    "long_judged": [
        (LEFT_OUT, [(1, JUDGED_LOOP)]),
        (
            "select system, count(*) from marts.rankings where corpus = '{0}' "
            "and sentence_id <> 1 group by all order by all",
            [("copy", 3), ("good", 3), ("loop", 3)],
        ),
        ("select count(*) from judgments.judged_pairs where corpus = '{0}'", [(9,)]),
    ],
    "many_two": [
        (EXCLUDED, [(0, "0", "63 edits, a mask holds 62", 1)]),
        (NODES, [(0, "1", 2)]),
        (M2, [("copy", 0), ("other", HALF)]),
    ],
    "overlap_two": [
        (EXCLUDED, [(0, "0", "two of its edits overlap", 1)]),
        (NODES, [(0, "1", 2)]),
        (M2, [("copy", 0), ("other", HALF)]),
    ],
    # Sentence 1 counts for neither: `copy` has no score of it.
    "partial_scores": [
        (
            "select system, round(corpus_score, 6) from marts.system_scores "
            "where corpus = '{0}' and metric = 'case_outside' order by all",
            [("copy", round(1.4 / 3, 6)), ("good", round(2.2 / 3, 6))],
        ),
        (
            "select system, sentence_id from marts.sentence_exclusions "
            "where corpus = '{0}' and metric = 'case_outside'",
            [("copy", 1)],
        ),
    ],
    "spaces": [
        (PERFECT, [("sys", 6)]),
        (
            "select round(corpus_score, 4) from marts.system_scores "
            "where corpus = '{0}' and metric = 'sari'",
            [(round(5 / 6, 4),)],
        ),
    ],
    "unk_identity": [
        (PERFECT, [("right", 6)]),
        (NODES, [(0, "0", 2), (1, "0", 1), (2, "0", 2)]),
        (
            "select kind, count(*), count(edit_bit) from marts.gold_edits where corpus = '{0}' "
            "group by all order by all",
            [("correction", 5, 5), ("detection", 2, 0)],
        ),
    ],
    "wmt5": [
        (
            RANKS,
            [
                (n, name, rank)
                for n, order in enumerate(("ABCDE", "EDCBA"))
                for name, rank in sorted(zip(order, range(1, 6), strict=True))
            ],
        )
    ],
    # The gold has an insertion twice: of 2 edits 3 count as right, as in m2scorer. P 3/2, R 1.
    "dup_gold": [
        (M2, [("a", round(1.25 * 1.5 / (0.25 * 1.5 + 1), 4)), ("b", 0)]),
        (FINDINGS, [("edits.m2", 4, "repeated_edit", "used")]),
    ],
    "inject": [("select count(*) from marts.sentences where corpus = '{0}'", [(4,)])],
    "r_empty": [(FINDINGS, [("j.csv", 0, "no_rankings", "left_out")])],
    "t_dupid": [(TEXTS, [HE, SHE]), (FINDINGS, [("t.tsv", 3, "repeated_id", "used")])],
    "t_lang8": [(TEXTS, [HE, (1, SHE[1], "She liked cats ."), SHE])],
    # A single quotation mark is text; a column that follows CSV's rules loses its quotes.
    "t_quote": [(TEXTS, [(0, '"He go home .', '"He goes home .'), SHE])],
    "t_quoted": [(TEXTS, [(0, 'He "go" home .', 'He "goes" home .'), SHE])],
    "wmt_judgeid": [(RANKS, [(0, "A", 1), (0, "B", 2)])],
}

ODD: dict[str, Queries] = {
    "all_noop": [(CHAINS, [])],
    "bars": [
        (
            "select sentence_id, start_token, correction from marts.gold_edits "
            "where corpus = '{0}' and annotator = 'first' order by all",
            [
                (0, 4, '"or"'),
                (0, 6, "||"),
                (1, 3, "||"),
                (1, 5, "a||b ||"),
                (2, 2, "-NONE-"),
                (2, 3, "stands"),
            ],
        ),
        (
            "select text from marts.lattice_nodes where corpus = '{0}' and annotator = 'first' "
            "and n_edits = 2 order by sentence_id",
            [
                ('In C you write "or" as || today .',),
                ("A row is || of a||b || .",),
                ("The mark -NONE- stands for no answer .",),
            ],
        ),
    ],
    "blank_lines": [(SCORED, [(3 * 3,)])],
    # The output is perfect: F.5 is 100, and 35.01 in the paper of this name.
    "conll14": [
        (
            "select reproduced, status, note from marts.replication "
            "where exhibit = 'official_scores' and row_label = 'AMU' and column_label = 'f'",
            [(100.0, "differs", "What is ingested is not what the paper had.")],
        )
    ],
    # Lower is better in this corpus, and therefore in all.
    "contrary_names": [
        (TAKEN, []),
        (
            "select higher_is_better from corpora.metric_directions where metric = 'outside'",
            [(False,)],
        ),
    ],
    "kept_beyond": [(NODES, [(0, "1", 2), (1, "0", 1), (1, "1", 1)])],
    # Two judges, three items, three pairs of systems. Judges prefer `careful` to `loop` to `copy`,
    # which have no, one and only wrong lines.
    "looping_output": [
        (SCORED, [(3 * 3,)]),
        (JUDGED_PAIRS, [(2 * 3 * 3,)]),
        (
            "select distinct method, spearman_rho from marts.human_correlations where corpus = "
            "'{0}' and system_set = 'all' and metric in ('gleu', 'm2') order by all",
            [("expected_wins", 1), ("trueskill", 1)],
        ),
    ],
    "many_edits": [
        (
            NODES,
            [
                (0, "1", 2),
                (1, "0", 1),
                (1, "1", 1),
                (2, "0", 9),
                (2, "1", 9),
                (3, "0", 62),
                (3, "1", 2),
            ],
        )
    ],
    # Two and three edits, and twice one: 3 + 6 + 1 + 1 pairs.
    "no_systems": [(CHAINS, [(4, 11)])],
    "nothing_usable": [(CHAINS, [])],
    "nothing_written": [
        (
            "select sentence_id, score from marts.system_sentence_scores "
            "where corpus = '{0}' and metric = 'ld' order by all",
            [(0, 0.0), (1, 0.0), (2, 0.0)],
        )
    ],
    # One annotator, two edits: one chain of three nodes.
    "one_of_each": [(CHAINS, [(1, 3)])],
    "overlapping": [(NODES, [(0, "1", 1), (1, "0", 2), (2, "0", 1), (2, "1", 2)])],
    "same_outputs": [
        (
            "select metric, count(*), count(distinct corpus_score), count(rank) "
            "from marts.system_scores where corpus = '{0}' and metric in ('m2', 'zeros') "
            "group by all order by all",
            [("m2", 3, 1, 0), ("zeros", 3, 1, 0)],
        )
    ],
    # `copy` has no score of sentence 1 in `gaps`.
    "score_gaps": [
        (
            "select metric, system, corpus_score, rank, too_few from marts.system_scores where "
            "corpus = '{0}' and metric in ('gaps', 'one_score', 'one_system') order by all",
            [
                ("gaps", "careful", pytest.approx((0.9 + 0.7 + 0.6) / 3), *NO_RANK),
                ("gaps", "copy", pytest.approx((0.5 + 0.3 + 0.1) / 3), *NO_RANK),
                ("one_score", "careful", 0.25, *NO_RANK),
                ("one_system", "partly", 2.5, *NO_RANK),
            ],
        ),
        (
            UNSCORED,
            [
                ("gaps", "copy", [1], GAP),
                ("gaps", "partly", [0, 1, 2, 3], NOTHING),
                ("one_score", "careful", [0, 1, 3], GAP),
                ("one_score", "copy", [0, 1, 2, 3], NOTHING),
                ("one_score", "partly", [0, 1, 2, 3], NOTHING),
                ("one_system", "careful", [0, 1, 2, 3], NOTHING),
                ("one_system", "copy", [0, 1, 2, 3], NOTHING),
            ],
        ),
    ],
    "scores_apart": [
        (UNSCORED, [("apart", "careful", [2, 3], GAP), ("apart", "copy", [0, 1], GAP)]),
    ],
    "spaces": [
        (
            'select "group", document, count(*) from marts.sentences where corpus = '
            "'{0}' group by all order by all",
            [("first", None, 4), (None, None, 4)],
        )
    ],
    # Two systems and two sentences. The perfect output has GLEU 1 and not the score of the file.
    "taken_names": [
        (
            TAKEN,
            [
                ("gleu", "a metric that is scored here has this name", 4),
                ("outside", HIGHER, 4),
            ],
        ),
        (
            "select corpus_score from marts.system_scores where corpus = '{0}' "
            "and metric = 'gleu' and system = 'careful'",
            [(1,)],
        ),
    ],
}
# Judgments of few sentences. Of `bare`, `single` and `unseen` there is nothing to correlate: no
# references, one system alone, and systems without outputs.
RHO_OF_M2 = {
    # One judge who prefers the better of two outputs.
    ("noop", 1.0),
    ("once", 1.0),
    # Judges without preferences; metrics without any, because all outputs are the same.
    ("alike", None),
    ("one_screen", None),
    ("tied", None),
}


@pytest.mark.parametrize("corpus", ODD)
def test_an_odd_corpus_has_its_right_values(corpus: str, odd_warehouse: Path) -> None:
    for sql, rows in ODD[corpus]:
        assert query(odd_warehouse, sql.format(corpus)) == rows, sql


@pytest.mark.parametrize("case", CASES)
def test_a_case_has_its_right_values(case: str, shared: Path, odd_warehouse: Path) -> None:
    assert (shared / "cases").is_dir()
    for sql, rows in CASES[case]:
        assert query(odd_warehouse, sql.format(f"case_{case}")) == rows, sql


def test_every_folder_of_the_cases_is_here(shared: Path) -> None:
    folders = {path.parent.name.lower() for path in (shared / "cases").glob("*/manifest.yml")}
    assert folders | {"extracted_none"} == CASES.keys() | REFUSED.keys()


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_case_has_one_finding(case: str, shared: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInputError) as refused:
        ingest_folder(Warehouse(tmp_path), shared / "cases" / case, bad_edits="keep")
    (finding,) = refused.value.findings.as_records()
    assert REFUSED[case] in str(finding["found"])


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


def test_no_mart_has_scores_edits_or_nodes_of_them(odd_warehouse: Path) -> None:
    with_sentences = query(
        odd_warehouse,
        "select table_name from duckdb_columns() "
        "where schema_name = 'marts' and column_name in ('corpus', 'sentence_id') "
        f"and table_name not in {INGESTED} group by table_name having count(*) = 2",
    )
    assert len(with_sentences) > 10
    excluded = "select corpus, sentence_id from marts.sentence_exclusions where stage = 'corpus'"
    for (mart,) in with_sentences:
        rows = f"select 1 from marts.{mart} where (corpus, sentence_id) in ({excluded})"
        assert query(odd_warehouse, rows) == [], mart


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


def test_rankings_of_few_judgments_correlate_or_have_none(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select distinct judgment_set, spearman_rho from marts.human_correlations "
        "where metric = 'm2' and judgment_set in "
        "('noop', 'once', 'alike', 'one_screen', 'tied', 'single', 'unseen', 'bare')",
    )
    assert set(rows) == RHO_OF_M2


@pytest.mark.parametrize(
    ("mart", "inferred"),
    [
        ("human_scores", "ci_low, ci_high, rank, rank_low, rank_high, cluster"),
        (
            "human_correlations",
            "pearson_ci_low, pearson_p_value, pearson_q_value, spearman_ci_low, spearman_p_value, "
            "spearman_q_value, chance_median, chance_low, chance_p_value",
        ),
        ("metric_comparisons", "ci_low, ci_high, p_value, q_value"),
        ("rating_correlations", "ci_low, ci_high"),
        ("sentence_agreement", "ci_low, ci_high, chance_low, chance_p_value, chance_q_value"),
        (
            "weight_surface",
            "pearson_ci_low, pearson_ci_high, spearman_ci_low, spearman_ci_high",
        ),
    ],
)
def test_nothing_is_inferred_from_few_units(mart: str, inferred: str, odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        f"select distinct coalesce({inferred}) from marts.{mart} where too_few is not null",
    )
    assert rows == [(None,)]


def test_corrupted_nodes_are_those_found_by_hand(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select sentence_id, annotator, error_type, edit_kind, list(wrong_correction) "
        "from lattices.corrupted_nodes where corpus = 'wrong_corrections' "
        "group by all order by all",
    )
    assert rows == [
        # Other sentences have "at" and "on". "on" would leave this sentence unchanged.
        (0, "0", "Prep", "replacement", ["at"]),
        (0, "1", "Prep", "replacement", ["at"]),
        # Other sentences replace a preposition by "in", which this one already has, and insert "a".
        (1, "0", "ArtOrDet", "insertion", ["a"]),
        (1, "1", "ArtOrDet", "insertion", ["a"]),
    ]


def test_agreement_equals_that_computed_by_hand(odd_warehouse: Path) -> None:
    """The references are the full corrections, so GLEU prefers every valid node.

    LD: "in" and "at" differ from "on" in 1 and 2 characters, "the " and "a " are 4 and 2. By their
    lengths the first are equal.
    """
    rows = query(
        odd_warehouse,
        "select metric, error_type, n_concordant, n_discordant, n_tied, agreement, "
        "strict_agreement, change_agreement from marts.corrupted_edit_agreement "
        "where corpus = 'wrong_corrections' and n_pairs > 0 "
        "and metric in ('chance_constant', 'chance_length', 'gleu', 'ld') order by all",
    )
    assert rows == [
        ("chance_constant", "ArtOrDet", 0, 0, 2, 0.5, 0.0, 1.0),
        ("chance_constant", "Prep", 0, 0, 2, 0.5, 0.0, 0.0),
        ("chance_constant", None, 0, 0, 4, 0.5, 0.0, 0.5),
        ("chance_length", "ArtOrDet", 2, 0, 0, 1.0, 1.0, 1.0),
        ("chance_length", "Prep", 0, 0, 2, 0.5, 0.0, 0.0),
        ("chance_length", None, 2, 0, 2, 0.75, 0.5, 0.5),
        ("gleu", "ArtOrDet", 2, 0, 0, 1.0, 1.0, 1.0),
        ("gleu", "Prep", 2, 0, 0, 1.0, 1.0, 0.0),
        ("gleu", None, 4, 0, 0, 1.0, 1.0, 0.5),
        ("ld", "ArtOrDet", 0, 2, 0, 0.0, 0.0, 1.0),
        ("ld", "Prep", 2, 0, 0, 1.0, 1.0, 0.0),
        ("ld", None, 2, 2, 0, 0.5, 0.5, 0.5),
    ]
