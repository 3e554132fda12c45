"""Pair counts of source sentences, as arrays of sentences and metrics."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maege.analysis.stored.rows import stored_groups


def counts_by_sentence(
    relation: Any, keys: Sequence[str] = ("corpus", "experiment")
) -> Iterator[tuple[tuple[str, ...], list[str], NDArray[np.float64]]]:
    """Yield each combination of the keys, metrics and counts of shape (3, sentences, metrics).

    The counts are those of concordant, discordant and tied pairs, 0 for a sentence that a metric
    has not scored.

    Args:
        relation: of DuckDB, rows of one question of the model `outcome_counts`.
        keys: columns of strings, whose rows are counted together.

    """
    names = ("n_concordant", "n_discordant", "n_tied")
    columns = (f"metric, sentence_id, {', '.join(names)}", "metric, sentence_id")
    for key, rows in stored_groups(relation, keys, *columns):
        metrics, metric = np.unique(rows["metric"].to_numpy(), return_inverse=True)
        sentences, sentence = np.unique(rows["sentence_id"].to_numpy(), return_inverse=True)
        by_outcome = np.zeros((len(names), len(sentences), len(metrics)))
        for counts, name in zip(by_outcome, names, strict=True):
            counts[sentence, metric] = rows[name].to_numpy()
        yield key, metrics.tolist(), by_outcome
