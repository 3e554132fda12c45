"""Requests are read from their file in order, sentence by sentence, and the file disappears."""

from pathlib import Path

import duckdb
import pytest

from maege.analysis.stored.caches import RequestFile

SENTENCE = ["corpus", "sentence_id"]


def file_of(folder: Path, rows: list[tuple[str, int, int]], part_rows: int) -> RequestFile:
    values = ", ".join(map(str, rows)) if rows else "('', 0, 0)"
    relation = duckdb.connect().sql(
        f"from (values {values}) as t(corpus, sentence_id, text_id) "
        f"where {bool(rows)} order by corpus, sentence_id, text_id"
    )
    return RequestFile(folder / "requests", relation, ["corpus"], part_rows)


@pytest.mark.parametrize("part_rows", [1, 2, 3, 4, 7, 100])
def test_parts_hold_whole_sentences_in_order(tmp_path: Path, part_rows: int) -> None:
    sizes = {("a", 1): 3, ("a", 2): 1, ("b", 2): 4, ("b", 3): 2, ("c", 3): 1}
    rows = [(*sentence, text) for sentence, size in sizes.items() for text in range(size)]
    parts = list(file_of(tmp_path, rows[::-1], part_rows).parts(SENTENCE))
    rows_of_parts = [tuple(row.values()) for part in parts for row in part.to_pylist()]
    assert rows_of_parts == rows
    sentences = [{(row["corpus"], row["sentence_id"]) for row in p.to_pylist()} for p in parts]
    assert sum(map(len, sentences)) == len(sizes)
    assert part_rows > 1 or len(parts) == len(sizes)


def test_a_sentence_that_ends_with_its_part_does_not_join_the_next(tmp_path: Path) -> None:
    requests = file_of(tmp_path, [("a", 1, 1), ("a", 1, 2), ("b", 1, 1), ("b", 1, 2)], 2)
    assert [part["corpus"].to_pylist() for part in requests.parts(SENTENCE)] == [
        ["a", "a"],
        ["b", "b"],
    ]


def test_files_of_requests_have_no_name_and_may_be_empty(tmp_path: Path) -> None:
    requests = file_of(tmp_path, [], 10)
    assert requests.num_rows == 0
    assert list(requests.parts(SENTENCE)) == []
    assert requests.distinct(["corpus"]) == []

    requests = file_of(tmp_path, [("a", 1, 1)], 10)
    assert list(tmp_path.iterdir()) == []
    assert requests.num_rows == 1


def test_values_are_distinct_across_parts(tmp_path: Path) -> None:
    requests = file_of(tmp_path, [("a", 1, 1), ("b", 1, 1), ("a", 2, 1), ("c", 1, 1)], 1)
    assert sorted(row["corpus"] for row in requests.distinct(["corpus"])) == ["a", "b", "c"]
