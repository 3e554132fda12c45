"""Judgments of every kind in a warehouse: links, preferences, and agreement of metrics."""

from pathlib import Path

from building import query


def test_items_find_their_sentences_by_text_and_else_say_why_not(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select item, corpus, sentence_id, linked_by, n_references, why_not "
        "from marts.judged_items where item in ('brothers', 'bus') order by all",
    )
    assert rows == [
        ("brothers", "one_of_each", 0, "source", 1, None),
        ("bus", None, None, None, 0, "no such sentence"),
    ]


def test_output_that_is_a_reference_is_marked(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select systems, is_source, is_named_reference, is_reference_text "
        "from marts.judged_outputs where item = 'brothers' and systems is not null order by all",
    )
    assert rows == [
        ("INPUT", True, False, False),
        ("gold", False, True, True),
        ("rough", False, False, False),
    ]


def test_a_verdict_is_judged_where_its_sentence_is_known(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select provenance, count(*) from marts.edit_verdicts group by all order by all",
    )
    assert rows == [("judged", 6), ("unknown", 12)]


def test_judgments_of_all_kinds_are_preferences(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select derived_from, count(*), sum(preference), max(n_dependent) from marts.preferences "
        "where judgment_set = 'judged' group by all order by all",
    )
    assert rows == [
        # TP is a vote for the edited text (12), FP1 against it (3), FP3 for neither (2).
        ("edit_verdict", 17, 12 - 3, 6),
        ("pair", 3, -2, 1),
        ("post_edit", 2, 1, 2),
        # For brothers, ann orders three pairs for two aspects, ben three and one; for bus ann six.
        ("rating", 6 + 3 + 1 + 6, 12, 3),
    ]


def test_of_few_judgments_nothing_is_inferred(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select distinct too_few, ci_low from marts.rating_correlations "
        "where judgment_set = 'judged' and level = 'pooled'",
    )
    assert rows == [("sentences", None)]


def test_constant_metric_has_an_area_of_one_half(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select auc, valid_tied from marts.verdict_agreement "
        "where judgment_set = 'judged' and corpus is null and metric = 'chance_constant'",
    )
    assert rows == [(0.5, 1.0)]


def test_outputs_that_are_references_are_not_compared_with_them(odd_warehouse: Path) -> None:
    n_outputs: dict[str, int] = dict(
        query(
            odd_warehouse,
            "select metric, n from marts.rating_correlations where judgment_set = 'judged' "
            "and aspect = 'fluency' and level = 'pooled' and metric in ('min_ld', 'fluency')",
        )
    )
    # Six rated outputs; for brothers two have a reference and are none.
    assert n_outputs == {"min_ld": 2, "fluency": 6}


def test_edits_have_the_share_that_judges_approve_of(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select made_by, n_edits, n_sources, validity, too_few from marts.edit_validity "
        "where corpus = 'one_of_each' and verdict_set = 'all' order by all",
    )
    # Both edits of the sentence are those of its only reference.
    assert rows == [("1", 2, 1, 1.0, "sentences"), (None, 2, 1, 1.0, "sentences")]
