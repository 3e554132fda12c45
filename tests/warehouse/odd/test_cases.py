"""Each case of ../shared/cases with its correct value; skipped without that folder.

They are part of the warehouse of odd corpora (`case_...`). tests/corpora/odd has corpora of the
same kinds for every clone.
"""

from pathlib import Path

import pytest
from building import Rows, query

from maege.ingest.findings import BadInputError
from maege.ingest.load import ingest_folder
from maege.ingest.warehouse import Warehouse

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
HE, SHE = (0, "He go home .", "He goes home ."), (1, "She like cats .", "She likes cats .")
# Corpora that ingest rejects, each with its finding (REFUSED_CASES of conftest.py).
REFUSED = {
    "f_wi_json": "lines of text, such as",
    "s_quotes": "quotation marks",
    "s_untok": "untokenised",
}
LOOP = "the output of loop has 1,207 tokens and 5,229 characters; max_sentence_tokens is 1,000"
BLANK = "the source is blank"
# One edit of two, and nothing else: precision 1, recall 1/2, F.5 is 1.25 P R / (.25 P + R).
HALF = round(1.25 * 0.5 / 0.75, 4)
# Two of three correct ones, and a wrong one in place of the third.
TWO_OF_THREE = round(2 / 3, 4)

CASES: dict[str, list[tuple[str, Rows]]] = {
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
        (LEFT_OUT, [(1, LOOP)]),
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
        ingest_folder(
            Warehouse(tmp_path),
            shared / "cases" / case,
            None,
            "keep",
            lambda _: None,
            lambda _: None,
        )
    (finding,) = refused.value.findings.as_records()
    assert REFUSED[case] in str(finding["found"])
