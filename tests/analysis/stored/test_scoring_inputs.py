"""Only the texts and lists that requests name are read."""

import duckdb
import pyarrow as pa

from maege.analysis.stored.scoring import ScoringInputs


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
