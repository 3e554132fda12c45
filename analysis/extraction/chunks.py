"""Parsing and extraction in chunks that contain everything that a worker needs."""

import dataclasses
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from maege.analysis.edits import format_annotation
from maege.analysis.extraction.errant_edits import extract
from maege.analysis.extraction.parses import Parse, Sentence, parse_texts
from maege.analysis.extraction.plain_alignment import extract_plain
from maege.analysis.stored.rows import table_schema
from maege.analysis.texts import content_key

PARSE_SCHEMA = table_schema(
    "lemma varchar[], pos varchar[], tag varchar[], dep varchar[], head integer[]"
)
PARSES_SCHEMA = pa.schema([("pipeline_key", pa.int64()), ("text_id", pa.int64()), *PARSE_SCHEMA])
EDITS_SCHEMA = table_schema(
    "extractor_key bigint, source_text_id bigint, target_text_id bigint, annotation_key bigint, "
    "annotation varchar"
)


@dataclasses.dataclass(frozen=True)
class Chunk:
    """Work for one worker: texts to parse, or pairs of texts to compare with their `texts`."""

    description: str
    requests: pa.Table
    texts: pa.Table = dataclasses.field(default_factory=lambda: pa.table({}))

    def __len__(self) -> int:
        return int(self.requests.num_rows)


def plan_parses(requests: pa.Table, chunk_texts: int) -> Iterator[Chunk]:
    """Yield chunks of requests: pipeline_key, text_id, text, corpus, sentence_id."""
    for start in range(0, requests.num_rows, chunk_texts):
        part = requests.slice(start, chunk_texts)
        yield Chunk(_description(part), part)


def parse_chunk(chunk: Chunk) -> pa.Table:
    requests = chunk.requests
    keys = (requests[name].combine_chunks() for name in ("pipeline_key", "text_id"))
    arrays = [*keys, *_parse_columns(requests["text"])]
    return pa.Table.from_arrays(arrays, schema=PARSES_SCHEMA)


def plan_extractions(requests: pa.Table, texts: pa.Table, chunk_pairs: int) -> Iterator[Chunk]:
    """Yield chunks of pairs, each with its distinct texts.

    Args:
        requests: columns extractor_key, source_text_id, target_text_id, corpus, sentence_id.
        texts: text_id (ascending), text and, if texts are parsed already, the columns of a parse,
            NULL if none is needed.
    """
    text_ids = texts["text_id"].to_numpy()
    for start in range(0, requests.num_rows, chunk_pairs):
        part = requests.slice(start, chunk_pairs)
        chunk_text_ids = np.union1d(
            part["source_text_id"].to_numpy(), part["target_text_id"].to_numpy()
        )
        rows = texts.take(pa.array(np.searchsorted(text_ids, chunk_text_ids))).combine_chunks()
        yield Chunk(_description(part), part, rows)


def extract_chunk(chunk: Chunk) -> pa.Table:
    columns = (chunk.texts[name].to_pylist() for name in ("text_id", "text", *PARSE_SCHEMA.names))
    texts, parsed = {}, {}
    for text_id, text, *fields in zip(*columns, strict=True):
        texts[text_id] = text
        if fields[0] is not None:
            parsed[text_id] = Sentence(text.split(), Parse(*fields))
    annotations = []
    pairs = (chunk.requests[name].to_pylist() for name in ("source_text_id", "target_text_id"))
    for source, target in zip(*pairs, strict=True):
        if source in parsed and target in parsed:
            edits = extract(parsed[source], parsed[target])
        else:
            edits = extract_plain(texts[source], texts[target])
        annotations.append(format_annotation(edits))
    arrays = [
        *(chunk.requests[name].combine_chunks() for name in EDITS_SCHEMA.names[:3]),
        pa.array([content_key(annotation) for annotation in annotations]),
        pa.array(annotations),
    ]
    return pa.Table.from_arrays(arrays, schema=EDITS_SCHEMA)


def parse_and_extract_chunk(chunk: Chunk) -> pa.Table:
    texts = chunk.texts.select(["text_id", "text"])
    requests = chunk.requests.filter(pc.is_valid(chunk.requests["pipeline_key"]))
    read = pa.chunked_array(
        [*requests["source_text_id"].chunks, *requests["target_text_id"].chunks], pa.int64()
    )
    is_read = pc.is_in(texts["text_id"], value_set=read)
    parsed, plain = texts.filter(is_read), texts.filter(pc.invert(is_read))
    for field, column in zip(PARSE_SCHEMA, _parse_columns(parsed["text"]), strict=True):
        parsed = parsed.append_column(field, column)
    texts = pa.concat_tables([parsed, plain], promote_options="default")
    return extract_chunk(Chunk(chunk.description, chunk.requests, texts))


def _parse_columns(texts: pa.ChunkedArray) -> list[pa.Array]:
    parses = parse_texts(texts.to_pylist()) if len(texts) else []
    return [
        pa.array([getattr(parse, field.name) for parse in parses], field.type)
        for field in PARSE_SCHEMA
    ]


def _description(requests: pa.Table) -> str:
    ends = [
        f"{requests['corpus'][row]} sentence {requests['sentence_id'][row]}"
        for row in (0, requests.num_rows - 1)
    ]
    return " to ".join(ends)
