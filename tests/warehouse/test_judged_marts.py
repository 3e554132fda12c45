"""Judgments of every kind in a warehouse: links, preferences, and agreement of metrics."""

from pathlib import Path

import pytest
from building import Rows, query

FACTS: dict[str, tuple[str, Rows]] = {
    "items find their sentences by text and else say why not": (
        "select item, corpus, sentence_id, linked_by, n_references, why_not "
        "from marts.judged_items where item in ('brothers', 'bus') order by all",
        [
            ("brothers", "one_of_each", 0, "source", 1, None),
            ("bus", None, None, None, 0, "no such sentence"),
        ],
    ),
    "an output that is a reference is marked": (
        "select systems, is_source, is_named_reference, is_reference_text "
        "from marts.judged_outputs where item = 'brothers' and systems is not null order by all",
        [
            ("INPUT", True, False, False),
            ("gold", False, True, True),
            ("rough", False, False, False),
        ],
    ),
    "a verdict is judged where its sentence is known": (
        "select provenance, count(*) from marts.edit_verdicts group by all order by all",
        [("judged", 6), ("unknown", 12)],
    ),
    "judgments of all kinds are preferences": (
        "select derived_from, count(*), sum(preference), max(n_dependent) from marts.preferences "
        "where judgment_set = 'judged' group by all order by all",
        [
            # TP is a vote for the edited text (12), FP1 against it (3), FP3 for neither (2).
            ("edit_verdict", 17, 12 - 3, 6),
            ("pair", 3, -2, 1),
            ("post_edit", 2, 1, 2),
            # For brothers, ann orders three pairs for two aspects, ben three and one; for bus ann
            # six.
            ("rating", 6 + 3 + 1 + 6, 12, 3),
        ],
    ),
    "a constant metric has an area of one half": (
        "select auc, valid_tied from marts.verdict_agreement "
        "where judgment_set = 'judged' and corpus is null and metric = 'chance_constant'",
        [(0.5, 1.0)],
    ),
    # Six rated outputs; for brothers two have a reference and are none.
    "outputs that are references are not compared with them": (
        "select metric, n from marts.rating_correlations where judgment_set = 'judged' "
        "and aspect = 'fluency' and level = 'pooled' and metric in ('min_ld', 'fluency') "
        "order by all",
        [("fluency", 6), ("min_ld", 2)],
    ),
    # Both edits of the sentence are those of its only reference.
    "edits have the share that judges approve of": (
        "select made_by, n_edits, n_sources, validity, too_few from marts.edit_validity "
        "where corpus = 'one_of_each' and verdict_set = 'all' order by all",
        [("1", 2, 1, 1.0, "sentences"), (None, 2, 1, 1.0, "sentences")],
    ),
}


@pytest.mark.parametrize("fact", FACTS)
def test_marts_of_judgments(fact: str, odd_warehouse: Path) -> None:
    sql, rows = FACTS[fact]
    assert query(odd_warehouse, sql) == rows
