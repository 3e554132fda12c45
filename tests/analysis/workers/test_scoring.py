"""Requests become chunks of whole sentences, and chunks the statistics that families compute."""

from itertools import chain

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.metrics.families import RequestGroup
from maege.analysis.metrics.registry import METRICS, TEXT_FAMILIES
from maege.analysis.workers.chunks import STATISTICS_SCHEMA, ScoringChunk, plan_chunks, score_chunk

TEXTS = {
    1: "He go home .",
    2: "He goes home .",
    3: "He went home .",
    4: "",
    5: "Ein Wörtchen ,  zwei",
    6: "He go go home home .",
}
REFERENCES = {10: (TEXTS[2],), 20: (TEXTS[2], TEXTS[3], TEXTS[4])}
# Some families need missing programs, for example METEOR's matcher.
RUNNABLE = sorted(
    {name for metric in METRICS.values() if metric.missing is None for name in metric.families}
    & TEXT_FAMILIES.keys()
)
SORT_KEYS = ("corpus", "sentence_id", "family", "signature_key", "references_key")

Request = tuple[str, int, str, int, int, int, int]


def request(
    corpus: str, sentence_id: int, family: str, source: int, hypothesis: int, references: int
) -> Request:
    """Return a row of the requests table; inputs that the family does not read become 0."""
    reads = TEXT_FAMILIES[family]
    return (
        corpus,
        sentence_id,
        family,
        7,
        references if reads.reads_references else 0,
        source if reads.reads_source else 0,
        hypothesis,
    )


def table(requests: list[Request]) -> pa.Table:
    names = (*SORT_KEYS, "source_text_id", "hypothesis_text_id")
    rows = [dict(zip(names, row, strict=True)) | {"cost": 1} for row in sorted(set(requests))]
    types = [pa.string(), pa.int32(), pa.string(), *[pa.int64()] * 5]
    columns = zip((*names, "cost"), types, strict=True)
    return pa.Table.from_pylist(rows, schema=pa.schema(list(columns)))


def planned(requests: list[Request], chunk_size: int) -> list[ScoringChunk]:
    return list(plan_chunks(table(requests), TEXTS, REFERENCES, chunk_size))


def hypotheses(chunk: ScoringChunk) -> list[int]:
    return list(chain.from_iterable(part.hypothesis_text_ids.tolist() for part in chunk.requests))


def test_requests_make_chunks_with_their_texts() -> None:
    assert planned([], 10) == []

    (chunk,) = planned([request("a", 0, "gleu", 1, 3, 10)], 1)
    assert chunk.texts == {1: TEXTS[1], 3: TEXTS[3]}
    assert chunk.references == {10: REFERENCES[10]}


def test_an_input_that_a_family_does_not_read_is_not_looked_up() -> None:
    (chunk,) = planned([request("a", 0, "source_distance", 1, 3, 10)], 1)
    assert chunk.references == {}
    (row,) = score_chunk(chunk).to_pylist()
    assert row["references_key"] == 0
    # "go" to "went": two letters replaced, two inserted; 12 and 14 characters.
    assert row["statistics"] == [4, 12, 14]


request_rows = st.builds(
    request,
    st.sampled_from(["a", "b"]),
    st.integers(0, 3),
    st.sampled_from(RUNNABLE),
    st.sampled_from(sorted(TEXTS)),
    st.sampled_from(sorted(TEXTS)),
    st.sampled_from(sorted(REFERENCES)),
)


@given(st.lists(request_rows, min_size=1, max_size=40), st.integers(1, 20))
def test_every_request_is_in_one_chunk_and_every_sentence_in_one_chunk(
    requests: list[Request], chunk_size: int
) -> None:
    distinct = table(requests)
    chunks = planned(requests, chunk_size)
    assert sum(map(len, chunks)) == distinct.num_rows
    assert all(len(chunk) >= chunk_size for chunk in chunks[:-1])
    order = list(chain.from_iterable(map(hypotheses, chunks)))
    assert order == distinct["hypothesis_text_id"].to_pylist()
    ends = set(np.cumsum([len(chunk) for chunk in chunks]).tolist())
    sentences = list(
        zip(distinct["corpus"].to_pylist(), distinct["sentence_id"].to_pylist(), strict=True)
    )
    assert all(sentences[end - 1] != sentences[end] for end in ends if end < distinct.num_rows)


@pytest.mark.slow
@given(st.lists(request_rows, min_size=1, max_size=15))
def test_a_chunk_scores_as_its_families_do_one_request_at_a_time(requests: list[Request]) -> None:
    (chunk,) = planned(requests, 1000)
    statistics_rows = score_chunk(chunk)
    assert statistics_rows.schema == STATISTICS_SCHEMA
    assert statistics_rows.num_rows == len(chunk)
    for row in statistics_rows.to_pylist():
        family = TEXT_FAMILIES[row["family"]]
        first_text = np.zeros(1, dtype=np.intp)
        group = RequestGroup(
            references=REFERENCES[row["references_key"]] if row["references_key"] else (),
            sources=(TEXTS[row["source_text_id"]],) if row["source_text_id"] else (),
            hypotheses=(TEXTS[row["hypothesis_text_id"]],),
            source_index=first_text if row["source_text_id"] else first_text[:0],
            hypothesis_index=first_text,
        )
        (statistics,) = family.compute_batch([group])
        assert row["statistics"] == statistics.ravel().tolist()
