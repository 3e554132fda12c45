"""Rows between SQL and Python: tables from rows, names in SQL, inputs of requests."""

import math

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from maege.analysis.stored.rows import rows_to_table, sorted_groups, sql_list, stored_groups
from maege.analysis.stored.scoring import ScoringInputs

SCHEMA = pa.schema(
    {"name": pa.string(), "n": pa.int32(), "r": pa.float64(), "samples": pa.list_(pa.float64())}
)


def test_nan_is_null_in_lists() -> None:
    rows = [("a", np.int64(1), math.nan, np.array([0.5, math.nan])), ("b", 2, 0.25, [])]
    assert rows_to_table(rows, SCHEMA).to_pylist() == [
        {"name": "a", "n": 1, "r": None, "samples": [0.5, None]},
        {"name": "b", "n": 2, "r": 0.25, "samples": []},
    ]


def test_groups_and_the_rows_in_them_are_in_order_whatever_the_tables() -> None:
    table = pa.table(
        {
            "corpus": ["b", "a", "b", "b"],
            "system": ["y", "x", "x", "y"],
            "sentence_id": [2, 1, 3, 1],
            "counts": [[1, 2], [], [3], [4]],
        }
    )
    groups = [
        (key, rows["counts"].to_pylist())
        for key, rows in sorted_groups(table, 1, "system", "sentence_id")
    ]
    assert groups == [(("a",), [[]]), (("b",), [[3], [4], [1, 2]])]
    assert list(sorted_groups(table.slice(0, 0), 1, "system")) == []


def test_rows_have_the_columns_of_the_schema() -> None:
    table = rows_to_table([{"r": 1.5, "name": "a"}], SCHEMA)
    assert table.to_pylist() == [{"name": "a", "n": None, "r": 1.5, "samples": None}]

    assert rows_to_table([], SCHEMA) == SCHEMA.empty_table()

    with pytest.raises(ValueError, match="zip"):
        rows_to_table([("a", 1, 2.0, [], 4)], SCHEMA)


def test_names_and_lists_are_quoted() -> None:
    assert sql_list(["conll14", "o'brien"]) == "('conll14', 'o''brien')"
    assert sql_list([]) == "(null)"


def test_rows_of_a_relation_come_a_key_at_a_time_in_order() -> None:
    relation = duckdb.sql(
        """
        select * from (
            values ('b', 'o''brien', 2, .5), ('a', 'x', 1, 1.0), ('b', 'o''brien', 1, 2.0)
        )
        as rows (corpus, system, sentence_id, score)
        """
    )
    groups = [
        (key, rows.to_pydict())
        for key, rows in stored_groups(
            relation, ("corpus", "system"), "score * 2 as twice", "sentence_id"
        )
    ]
    assert groups == [(("a", "x"), {"twice": [2.0]}), (("b", "o'brien"), {"twice": [4.0, 1.0]})]


# --- Texts and lists that requests name ---


def test_only_requested_inputs_are_read() -> None:
    session = duckdb.connect()
    inputs = ScoringInputs(
        session,
        session.sql("from (values (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')) as t(key, text)"),
        session.sql("from (values (10, [3, 2]), (10, [3, 2]), (11, [4])) as t(key, text_ids)"),
        session.sql("from (values (20, ['A 0 1', null]), (21, ['A 2 3'])) as t(key, annotations)"),
    )
    requests = pa.table(
        {
            "source_text_id": pa.array([0, 1], pa.int64()),
            "hypothesis_text_id": pa.array([1, 2], pa.int64()),
            "references_key": pa.array([20, 10], pa.int64()),
        }
    )
    texts, references = inputs.load(requests)
    assert texts == {1: "a", 2: "b", 3: "c"}
    assert references == {10: ("c", "b"), 20: ("A 0 1", None)}

    # Requests that read neither a source nor references.
    requests = requests.set_column(0, "source_text_id", [[0, 0]])
    requests = requests.set_column(2, "references_key", [[0, 0]])
    assert inputs.load(requests) == ({1: "a", 2: "b"}, {})
