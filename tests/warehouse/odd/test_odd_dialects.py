"""A corpus in published dialects of the formats, in every mart."""

from pathlib import Path

import pytest
from building import query

CORPUS = "published_dialects"


def test_each_way_to_make_a_target_has_a_lattice(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        "select annotator, count(distinct edit_bit) from marts.gold_edits "
        f"where corpus = '{CORPUS}' and edit_bit is not null "
        "group by all order by all",
    )
    assert rows == [("0", 2), ("0-A1", 3), ("1", 1)]


@pytest.mark.parametrize("metric", ["m2", "green", "bleu", "min_ld", "imeasure"])
def test_an_output_without_blanks_is_compared_by_characters(
    metric: str, odd_warehouse: Path
) -> None:
    rows = query(
        odd_warehouse,
        "select round(corpus_score, 6) from marts.system_scores "
        f"where corpus = '{CORPUS}' and system = 'perfect' and metric = $1",
        metric,
    )
    assert rows == [(1.0,)]


def test_a_row_of_three_systems_is_an_item_and_minus_one_is_counted(odd_warehouse: Path) -> None:
    ranked = query(
        odd_warehouse,
        f"select sentence_id, system, rank from raw.judgments where corpus = '{CORPUS}' "
        "order by all",
    )
    assert ranked == [
        (0, "copy", 2),
        (0, "perfect", 1),
        (0, "rough", 3),
        (1, "perfect", 1),
        (1, "rough", 2),
    ]
    unranked_lines = query(
        odd_warehouse,
        f"select line, kind from marts.ingest_findings where corpus = '{CORPUS}' "
        "and judgment_set is not null",
    )
    assert unranked_lines == [(3, "unranked")]


def test_annotators_without_a_sentence_are_counted(odd_warehouse: Path) -> None:
    rows = query(
        odd_warehouse,
        f"select path, line, kind from marts.ingest_findings where corpus = '{CORPUS}' "
        "and judgment_set is null",
    )
    assert rows == [("edits.m2", 16, "not_annotated")]
