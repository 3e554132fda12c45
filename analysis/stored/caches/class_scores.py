"""Scores of metrics with a set-up, computed in their own processes and stored at once.

They do not use the pool of workers or a cluster: their models, devices and API keys are here.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from maege.analysis.metrics.own.batches import Batch, n_processes, score_batches, sorted_batches
from maege.analysis.metrics.own.family import OwnFamily, hosting_of
from maege.analysis.metrics.own.functions import Scored
from maege.analysis.metrics.own.interface import Unavailable
from maege.analysis.runs import run_starts
from maege.analysis.stored.caches.append_only import AppendOnlyModel
from maege.analysis.stored.caches.request_file import RequestFile
from maege.analysis.stored.caches.scoring_inputs import ScoringInputs
from maege.analysis.stored.caches.stops import forget_stop, note_stop
from maege.analysis.workers.chunks import STATISTICS_SCHEMA
from maege.visible import visible

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
    """Spool the scores of one metric; if it is unavailable, record it and leave the rest open.

    Args:
        cache: the append-only model.
        family: the metric's family.
        requests: its missing requests, by corpus and sentence.
        inputs: finds the texts of requests.
        workers: number of workers of the build.

    """
    assert family.about is not None  # noqa: S101 (it is a class)
    if family.about.notice and requests.num_rows:
        _say(f"{family.metric}: {family.about.notice}")
    try:
        cache.keep(
            family.metric,
            _scored(family, requests, inputs, workers),
            requests.num_rows,
            seconds=KEPT_SECONDS,
        )
    except Unavailable as error:
        note_stop(family.metric, str(error))
        _say(f"{family.metric}: stopped; the build continues without its remaining scores: {error}")
    else:
        forget_stop(family.metric)


def _say(line: str) -> None:
    sys.stderr.write(f"{visible(line)}\n")


def _scored(
    family: OwnFamily, requests: RequestFile, inputs: ScoringInputs, workers: int
) -> Iterator[pa.Table]:
    """Yield the rows of the cache for each batch."""
    assert family.about is not None  # noqa: S101 (it is a class)
    hosting = hosting_of(family.metric, family.definition, family.folders)
    processes = n_processes(family.about.processes, workers)
    batches = _batches(family, requests, inputs, family.about.batch_size)
    for rows, scored in score_batches(hosting, family.about, batches, processes):
        yield _table(rows, scored)


def _batches(
    family: OwnFamily, requests: RequestFile, inputs: ScoringInputs, batch_size: int
) -> Iterator[Batch[pa.Table]]:
    for part in requests.parts(["corpus", "sentence_id"]):
        texts, references = inputs.of(part)
        listed = [
            [text for text in references.get(key, ()) if text is not None]
            for key in part["references_key"].to_pylist()
        ]
        values: dict[str, Sequence[Any]] = {
            "source": [texts.get(key) for key in part["source_text_id"].to_pylist()],
            "hypothesis": [texts.get(key) for key in part["hypothesis_text_id"].to_pylist()],
            "references": listed,
            # The other text is stored as a list with one reference.
            "other": [next(iter(of), None) for of in listed],
        }
        read = {str(name): values[name] for name in family.definition.inputs}
        corpus = part["corpus"].combine_chunks().indices.to_numpy()
        starts = run_starts(corpus, part["sentence_id"].to_numpy()).tolist()
        keyed = part.select(_KEYS)
        for rows, some in sorted_batches(read, starts, batch_size):
            yield Batch(keyed.take(rows), some)


def _table(rows: pa.Table, scored: Sequence[Scored]) -> pa.Table:
    columns = [*(rows[name] for name in _KEYS), [[result.score] for result in scored]]
    failures = [result.failure for result in scored]
    named = dict(zip(STATISTICS_SCHEMA.names, [*columns, failures], strict=True))
    named["family"] = named["family"].cast(pa.string())
    return pa.table(named, schema=STATISTICS_SCHEMA)
