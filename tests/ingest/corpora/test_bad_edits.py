"""Annotators' edits whose span is outside their sentence are skipped or kept."""

from pathlib import Path

import pytest
from small_corpus import FILES, ingest, maege, query, write_corpus

# The third sentence has three tokens.
BEYOND = "A 3 4|||Mec|||!|||REQUIRED|||-NONE-|||0\n"
BACKWARDS = "A 2 1|||Mec|||!|||REQUIRED|||-NONE-|||1\n"
OF_THIRD = (
    "select line, annotator, edit_index, start_token, end_token, out_of_range from raw.m2_edits "
    "where annotation_set = 'shared' and sentence_id = 2 order by line"
)
GOOD = [(10, "0", 0, 1, 2, None), (11, "0", 1, 3, 3, None)]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "corpus", edits_m2=FILES["edits.m2"] + BEYOND)


@pytest.mark.parametrize(
    ("how", "stored"),
    [("skip", (12, "0", None, 3, 4, "skipped")), ("keep", (12, "0", 2, 3, 4, "kept"))],
)
def test_they_are_rows_either_way_and_counted(
    how: str, stored: tuple[object, ...], tmp_path: Path, corpus: Path
) -> None:
    output = ingest(tmp_path / "warehouse", corpus, "--bad-edits", how).stdout

    assert f"1 edits with a span outside their sentence: {stored[-1]}" in output
    assert query(tmp_path / "warehouse", OF_THIRD) == [*GOOD, stored]


def test_a_span_that_runs_backwards_cannot_be_kept(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", edits_m2=FILES["edits.m2"] + BACKWARDS)

    assert maege(tmp_path / "kept", "ingest", corpus, "--bad-edits", "keep").exit_code == 2
    ingest(tmp_path / "skipped", corpus, "--bad-edits", "skip")
    assert query(tmp_path / "skipped", OF_THIRD) == [*GOOD, (12, "1", None, 2, 1, "skipped")]


def test_the_export_of_errors_is_without_them(tmp_path: Path, corpus: Path) -> None:
    warehouse = tmp_path / "warehouse"
    ingest(warehouse, corpus, "--bad-edits", "keep")

    xml = maege(warehouse, "export", "imeasure", "small", "shared").stdout

    assert xml.count("<c ") == len(GOOD) + 3
