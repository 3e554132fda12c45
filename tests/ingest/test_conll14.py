"""The real corpus, where it is at hand."""

from pathlib import Path

import pytest
from small_corpus import ingest, query


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory, repository: Path, shared: Path) -> Path:
    folder = tmp_path_factory.mktemp("conll14") / "warehouse"
    ingest(folder, repository / "corpora" / "conll14", "--data-root", shared / "data")
    return folder


def test_annotation_sets_have_the_published_counts(warehouse: Path) -> None:
    rows = query(
        warehouse,
        "select annotation_set, count(*), count(*) filter (where is_noop), "
        "count(distinct annotator) from raw.m2_edits group by all order by all",
    )
    assert rows == [("bn10", 37667, 0, 10), ("nucle", 5873, 275, 2), ("nucle_alt", 7521, 364, 5)]


def test_every_text_has_a_line_for_each_of_the_1312_sentences(warehouse: Path) -> None:
    assert query(warehouse, "select sentences from raw.corpora") == [(1312,)]
    counts = query(
        warehouse,
        'select count(*) from raw."references" group by reference '
        "union all select count(*) from raw.outputs group by system",
    )
    assert counts == [(1312,)] * (20 + 16)


def test_no_line_end_of_another_system_is_left_in_the_text(warehouse: Path) -> None:
    assert query(warehouse, "select count(*) from raw.outputs where contains(text, chr(13))") == [
        (0,)
    ]


def test_the_one_empty_output_is_kept(warehouse: Path) -> None:
    rows = query(warehouse, "select system from raw.outputs where trim(text) = ''")
    assert rows == [("POST",)]


def test_136_sentences_have_no_annotation(warehouse: Path) -> None:
    rows = query(
        warehouse,
        "select count(*) from raw.sentences where sentence_id not in "
        "(select sentence_id from raw.m2_edits where annotation_set = 'nucle')",
    )
    assert rows == [(136,)]
