"""ERRANT's counts and scores by error type, with intervals if enough sentences have the type.

The intervals use the same bootstrap resamples of sentences as system scores.
"""

from typing import Any

import numpy as np

from maege.analysis.compare.types import type_intervals
from maege.analysis.metrics.errant import BETA
from maege.analysis.metrics.formula import f_of_counts, share
from maege.analysis.statistics.resampling import too_few, with_width
from maege.analysis.stored.rows import contract_schema, rows_to_table, stored_groups


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    samples, level = dbt.settings.bootstrap_samples, dbt.settings.confidence_level
    seed = dbt.settings.seed
    sentences_by_set = {
        tuple(key): np.array(sentences)
        for *key, sentences in dbt.ref("chosen_annotators")
        .filter("metric = 'errant'")
        .aggregate(
            "corpus, reference_set, list(distinct sentence_id order by sentence_id)",
            "corpus, reference_set",
        )
        .fetchall()
    }
    rows: list[tuple[Any, ...]] = []
    columns = ("error_type, sentence_id, tp, fp, fn", "error_type, sentence_id")
    groups = stored_groups(
        dbt.ref("sentence_type_counts"), ("corpus", "reference_set", "system"), *columns
    )
    for key, system_rows in groups:
        sentences = sentences_by_set[key[:2]]
        types, place = np.unique(system_rows["error_type"].to_numpy(), return_inverse=True)
        right, fp, missed = (system_rows[name].to_numpy() for name in ("tp", "fp", "fn"))
        counts = np.zeros((len(sentences), len(types), 3))
        at = np.searchsorted(sentences, system_rows["sentence_id"].to_numpy())
        counts[at, place] = np.stack([right, right + fp, right + missed], axis=1)
        bounds = zip(*type_intervals(counts, samples, seed, level), strict=True)
        n_sentences = np.bincount(place).tolist()
        tp, proposed, gold = counts.sum(axis=0).T
        measures = (share(tp, proposed), share(tp, gold), f_of_counts(tp, proposed, gold, BETA))
        sums = np.stack([tp, proposed - tp, gold - tp, *measures], axis=1).tolist()
        for error_type, n, numbers, interval in zip(types, n_sentences, sums, bounds, strict=True):
            missing = too_few(sentences=n)
            bounded = (None, None) if missing else with_width(*interval)
            rows.append((*key, error_type, *numbers, n, *bounded, missing))
    return rows_to_table(rows, contract_schema(dbt))
