"""Statistics of outputs from the build file, sorted by systems and sentences."""

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from maege.analysis.metrics.gleu import Gleu
from maege.analysis.stored import statistics as stored
from maege.analysis.stored.statistics import statistics_of_sets

WIDTH = len(Gleu.statistics)
# By reference set: its systems, sentences and references.
SETS = {"one": (["b", "a"], [5, 3, 4], 1), "two": (["a", "c"], [1, 0], 2)}


def numbers(reference_set: str, system: str, sentence: int) -> list[float]:
    references = SETS[reference_set][2]
    first = 1000 * ord(system) + 100 * sentence + (0.1 if system == "c" else 0)
    return [float(first), *([float(sentence)] * (references * WIDTH - 1))]


def inputs_and_cache() -> tuple[duckdb.DuckDBPyRelation, duckdb.DuckDBPyRelation]:
    rows = [
        (reference_set, system, sentence)
        for reference_set, (systems, sentences, _) in SETS.items()
        for sentence in sentences
        for system in systems
    ]
    reference_sets, systems, sentences = zip(*rows, strict=True)
    zeros, keys = [0 for _ in rows], range(len(rows))
    inputs = {
        "corpus": ["c" for _ in rows],
        "reference_set": reference_sets,
        "system": systems,
        "sentence_id": sentences,
        "source_text_id": zeros,
        "hypothesis_text_id": keys,
        "references_key": zeros,
    }
    cached = {
        "signature_key": [*(7 for _ in rows), 8],
        "source_text_id": [*zeros, 0],
        "hypothesis_text_id": [*keys, 0],
        "references_key": [*zeros, 0],
        "statistics": [*(numbers(*row) for row in rows), [0.0] * WIDTH],
    }
    return duckdb.from_arrow(pa.table(inputs)), duckdb.from_arrow(pa.table(cached))


@pytest.mark.parametrize("at_once", [1, 3, 10_000])
def test_statistics_are_in_order_and_as_they_were_however_many_rows_are_read_at_once(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "ROWS_AT_ONCE", at_once)
    arrays = statistics_of_sets(*inputs_and_cache(), Gleu(), 7)
    assert list(arrays) == [("c", "one"), ("c", "two")]
    for (_, reference_set), array in arrays.items():
        systems, sentences, references = SETS[reference_set]
        assert array.dtype == np.float64
        expected = [
            [numbers(reference_set, system, sentence) for sentence in sorted(sentences)]
            for system in sorted(systems)
        ]
        shape = (len(systems), len(sentences), references, WIDTH)
        np.testing.assert_array_equal(array, np.reshape(expected, shape))
