"""Scoring requests with their inputs, and scores of metrics with a set-up."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from duckdb import DuckDBPyConnection, DuckDBPyRelation
from numpy.typing import NDArray

from maege.analysis.metrics.own.family import OwnFamily, hosting_of
from maege.analysis.metrics.own.interface import Scored, Unavailable
from maege.analysis.metrics.own.served import Batch, n_processes, score_batches, sorted_batches
from maege.analysis.stored.caches import AppendOnlyModel, RequestFile
from maege.analysis.stored.rows import run_starts
from maege.analysis.stored.stops import forget_stop, note_stop
from maege.analysis.workers.chunks import STATISTICS_SCHEMA, References
from maege.visible import visible


@dataclass(frozen=True)
class ScoringInputs:
    """The inputs of requests, from relations with two columns: a key and its value.

    A value of `contents` is a text or an annotation as text, of `lists` a list of keys of texts, of
    `annotations` a list of annotations.
    """

    session: DuckDBPyConnection
    contents: DuckDBPyRelation
    lists: DuckDBPyRelation
    annotations: DuckDBPyRelation

    def load(self, requests: pa.Table) -> tuple[dict[int, str], dict[int, References]]:
        """Return texts and annotations by key, and lists of them by key."""
        keys = requests["references_key"].to_numpy()
        lists = self._named(self.lists, keys)
        listed = [key for values in lists.values() for key in values if key is not None]
        text_ids = (requests[name].to_numpy() for name in ("source_text_id", "hypothesis_text_id"))
        contents: dict[int, str] = self._named(
            self.contents, np.concatenate([*text_ids, np.array(listed, dtype=np.int64)])
        )
        references: dict[int, References] = {
            key: tuple(None if text is None else contents[text] for text in values)
            for key, values in lists.items()
        }
        annotations = self._named(self.annotations, keys)
        return contents, references | {key: tuple(values) for key, values in annotations.items()}

    def _named(self, relation: DuckDBPyRelation, keys: NDArray[np.int64]) -> dict[int, Any]:
        wanted_keys = self.session.from_arrow(pa.table({"key": np.unique(keys)}))
        return dict(relation.join(wanted_keys, "key", how="semi").fetchall())


# --- Scores of metrics with a set-up, computed in their own processes and stored at once ---
#
# They do not use the pool of workers or a cluster: their models, devices and API keys are here.

# Seconds of work, possibly paid, that a killed build may lose.
KEPT_SECONDS = 10.0
_KEYS = STATISTICS_SCHEMA.names[:5]


def keep_class_scores(
    cache: AppendOnlyModel,
    family: OwnFamily,
    requests: RequestFile,
    inputs: ScoringInputs,
    workers: int,
) -> None:
    """Spool the scores of one metric; if it is unavailable, record it and leave the rest open."""
    about = family.about
    assert about is not None  # noqa: S101 (it is a class)
    if about.notice and requests.num_rows:
        _say(f"{family.metric}: {about.notice}")
    hosting = hosting_of(family.metric, family.definition, family.folders)
    processes = n_processes(about.processes, workers)
    batches = _batches(family, requests, inputs, about.batch_size)
    tables = (
        _table(rows, results) for rows, results in score_batches(hosting, about, batches, processes)
    )
    try:
        cache.keep(family.metric, tables, requests.num_rows, seconds=KEPT_SECONDS)
    except Unavailable as error:
        note_stop(family.metric, str(error))
        _say(f"{family.metric}: stopped; the build continues without its remaining scores: {error}")
    else:
        forget_stop(family.metric)


def _say(line: str) -> None:
    sys.stderr.write(f"{visible(line)}\n")


def _batches(
    family: OwnFamily, requests: RequestFile, inputs: ScoringInputs, batch_size: int
) -> Iterator[Batch[pa.Table]]:
    for part in requests.parts(["corpus", "sentence_id"]):
        texts, references = inputs.load(part)
        listed = [
            [text for text in references.get(key, ()) if text is not None]
            for key in part["references_key"].to_pylist()
        ]
        values: dict[str, Sequence[Any]] = {
            "source": [texts.get(key) for key in part["source_text_id"].to_pylist()],
            "hypothesis": [texts.get(key) for key in part["hypothesis_text_id"].to_pylist()],
            "references": listed,
            # The other text is stored as a list with one reference.
            "other": [next(iter(reference_list), None) for reference_list in listed],
        }
        read = {str(name): values[name] for name in family.definition.inputs}
        corpus = part["corpus"].combine_chunks().indices.to_numpy()
        starts = run_starts(corpus, part["sentence_id"].to_numpy()).tolist()
        keyed = part.select(_KEYS)
        for rows, some in sorted_batches(read, starts, batch_size):
            yield Batch(keyed.take(rows), some)


def _table(rows: pa.Table, results: Sequence[Scored]) -> pa.Table:
    scores = {
        "statistics": [[result.score] for result in results],
        "failure": [result.failure for result in results],
    }
    columns = {name: rows[name] for name in _KEYS}
    columns["family"] = columns["family"].cast(pa.string())
    return pa.table(columns | scores, schema=STATISTICS_SCHEMA)
