"""Whom M2 and ERRANT compare each sentence with: who makes F of all sentences so far largest.

Each by its own program's arithmetic, because choices hang on the last digit:

- M2 computes F from counts; of equal ones the annotator with the most agreeing edits is chosen,
  then the one with the least proposed + beta^2 gold;
- ERRANT computes it from precision and recall and rounds it to four decimals; then the one with the
  most tp is chosen, the least fp, the least fn.

Then it is the first. Other metrics that choose alike go by analysis/metrics/scores/greedy.py, which
takes any score.
"""

import numpy as np

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.score import Positions

# ERRANT's decimals, and what splits a double into halves whose products are exact (Dekker 1971).
_SCALE = 10_000.0
_SPLITTER = 134_217_729.0


def chosen_annotators(counts: FloatArray, beta: float, by_shares: bool) -> Positions:
    """Return the position of the annotator of every sentence, shape (..., sentences).

    Args:
        counts: tp, proposed and gold, and whatever else, shape (..., sentences, annotators, 3 or
            more), in file order; NaN for annotators without a line.
        beta: the weight of recall.
        by_shares: by ERRANT's arithmetic, else by M2's.

    Raises:
        ValueError: nobody has a line for some sentence.

    """
    *leading, sentences, annotators, width = counts.shape
    # To write to, although nobody does: what can only be read is a type of its own for the kernel.
    flat = np.require(counts, np.float64, ["C_CONTIGUOUS", "WRITEABLE"])
    positions = _chosen(flat.reshape(-1, sentences, annotators, width), beta, by_shares)
    if (positions < 0).any():
        message = "a sentence without any annotator's counts; give its gold at least one annotation"
        raise ValueError(message)
    return positions.reshape(*leading, sentences)


@compiled()
def _chosen(counts: FloatArray, beta: float, by_shares: bool) -> Positions:
    n_systems, n_sentences, n_annotators, _ = counts.shape
    positions = np.full((n_systems, n_sentences), -1, dtype=np.int64)
    squared = beta * beta
    for system in range(n_systems):
        tp = size = gold = 0.0
        for sentence in range(n_sentences):
            best = (-1.0, 0.0, 0.0, 0.0)
            for annotator in range(n_annotators):
                of_one = counts[system, sentence, annotator]
                if np.isnan(of_one[0]):
                    continue
                new_tp, new_size, new_gold = tp + of_one[0], size + of_one[1], gold + of_one[2]
                if by_shares:
                    p = new_tp / new_size if new_size > 0 else 1.0
                    r = new_tp / new_gold if new_gold > 0 else 1.0
                    weighted = squared * p + r
                    f = rounded((1 + squared) * p * r / weighted) if weighted > 0 else 0.0
                    found = (f, new_tp, -new_size, -new_gold)
                else:
                    weighted = squared * new_gold + new_size
                    f = (1 + squared) * new_tp / weighted if weighted else 1.0
                    found = (f, new_tp, -weighted, 0.0)
                if found > best:
                    positions[system, sentence], best = annotator, found
            chosen = positions[system, sentence]
            if chosen >= 0:
                tp += counts[system, sentence, chosen, 0]
                size += counts[system, sentence, chosen, 1]
                gold += counts[system, sentence, chosen, 2]
    return positions


@compiled()
def rounded(value: float) -> float:
    """Return the nearest number of four decimals, as Python's `round`: halves to the even one."""
    scaled = value * _SCALE
    below = np.floor(scaled)
    above_half = scaled - below - 0.5
    if above_half == 0:
        # What the product lost decides.
        high = _SPLITTER * value
        high -= high - value
        above_half = (high * _SCALE - scaled) + (value - high) * _SCALE
        if above_half == 0:
            above_half = below % 2 - 0.5
    nearest: float = below + 1 if above_half > 0 else below
    return nearest / _SCALE
