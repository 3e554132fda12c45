"""Sentences whose annotators agree about the positions of errors."""

import numpy as np
import pytest

from maege.analysis.edits import Annotation, Edit
from maege.analysis.papers.imeasure_tables import agree, cells


def annotation(*edits: tuple[int, int, str]) -> Annotation:
    return tuple(Edit(start, end, "T", (text,)) for start, end, text in edits)


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [
        # Nothing to correct.
        ([annotation(), annotation()], True),
        ([annotation((1, 2, "a")), annotation((1, 2, "b"))], True),
        # One corrects more than the other, or each corrects something else.
        ([annotation((1, 2, "a"), (4, 5, "c")), annotation((1, 2, "b"))], True),
        ([annotation((4, 5, "c")), annotation((1, 2, "b"))], False),
        # Spans differ, and not all clusters are shared.
        ([annotation((1, 3, "a"), (6, 7, "c")), annotation((1, 2, "b"))], False),
        ([annotation((1, 3, "a")), annotation((1, 2, "b"))], True),
        # The insertion at the edge joins the longer correction: both annotators are in its cluster.
        ([annotation((1, 3, "a")), annotation((3, 3, "b"))], True),
        ([annotation((1, 3, "a")), annotation((4, 4, "b"))], False),
        # Corrections by all annotators are dropped, whatever their case, before others are
        # compared.
        ([annotation((1, 3, "A"), (3, 3, "x")), annotation((1, 3, "a"))], True),
        # A single annotator.
        ([annotation((1, 2, "a")), None], True),
    ],
)
def test_sentences_agree_by_clusters_and_spans(
    annotations: list[Annotation | None], expected: bool
) -> None:
    assert agree(annotations) is expected


def test_numbers_cover_agreeing_and_all_sentences_in_per_cent() -> None:
    # One system, three sentences, one annotator: tp, proposed, gold, approximated.
    statistics = np.array([[[[1, 2, 4, 0]], [[1, 1, 1, 0]], [[0, 3, 3, 0]]]], dtype=np.float64)
    agreeing = np.array([True, True, False])
    numbers = {cell.column_label: cell for cell in cells("m2", ["A"], statistics, agreeing, seed=1)}
    assert set(numbers) == {"p", "r", "f"}
    p = numbers["p"]
    assert (p.exhibit, p.row_label) == ("table_10", "A")
    assert (p.reproduced, p.corrected) == pytest.approx((200 / 3, 200 / 6))
    # Fewer sentences agree than the paper used: every sample contains them all.
    assert (p.band_low, p.band_high) == pytest.approx((200 / 3, 200 / 3))
    assert numbers["f"].reproduced == pytest.approx(
        100 * 1.25 * (2 / 3) * 0.4 / (0.25 * (2 / 3) + 0.4)
    )
