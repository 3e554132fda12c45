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
    # The kernel is compiled for arrays that can be written to.
    flat = np.require(counts, np.float64, ["C_CONTIGUOUS", "WRITEABLE"])
    flat = flat.reshape(-1, sentences, annotators, width)
    positions = np.full(flat.shape[:2], -1, np.int64)
    _choose(flat, beta, by_shares, positions)
    if (positions < 0).any():
        message = "a sentence without any annotator's counts; give its gold at least one annotation"
        raise ValueError(message)
    return positions.reshape(*leading, sentences)


@compiled("void(f8[:, :, :, ::1], f8, b1, i8[:, ::1])")
def _choose(counts: FloatArray, beta: float, by_shares: bool, positions: Positions) -> None:
    squared = beta * beta
    for system in range(counts.shape[0]):
        tp = size = gold = 0.0
        for sentence in range(counts.shape[1]):
            best_f, best_tp, best_size, best_gold = -1.0, 0.0, 0.0, 0.0
            for annotator in range(counts.shape[2]):
                new_tp = tp + counts[system, sentence, annotator, 0]
                new_size = size + counts[system, sentence, annotator, 1]
                new_gold = gold + counts[system, sentence, annotator, 2]
                if by_shares:
                    p = new_tp / new_size if new_size > 0 else 1.0
                    r = new_tp / new_gold if new_gold > 0 else 1.0
                    weighted = squared * p + r
                    f = (1 + squared) * p * r / weighted if weighted > 0 else 0.0
                    # The nearest number of four decimals, as Python's `round`: what the product
                    # lost decides near a half, and a half goes to the even number.
                    scaled = f * _SCALE
                    below = np.floor(scaled)
                    above_half = scaled - below - 0.5
                    if above_half == 0:
                        high = _SPLITTER * f
                        high -= high - f
                        above_half = (high * _SCALE - scaled) + (f - high) * _SCALE
                        if above_half == 0:
                            above_half = below % 2 - 0.5
                    f = (below + 1 if above_half > 0 else below) / _SCALE
                else:
                    weighted = squared * new_gold + new_size
                    f = (1 + squared) * new_tp / weighted if weighted else 1.0
                    new_size, new_gold = weighted, 0.0
                is_better = f > best_f
                if f == best_f:
                    is_better = new_tp > best_tp
                    if new_tp == best_tp:
                        is_better = new_size < best_size
                        if new_size == best_size:
                            is_better = new_gold < best_gold
                if is_better and not np.isnan(new_tp):
                    positions[system, sentence] = annotator
                    best_f, best_tp, best_size, best_gold = f, new_tp, new_size, new_gold
            chosen = positions[system, sentence]
            if chosen >= 0:
                tp += counts[system, sentence, chosen, 0]
                size += counts[system, sentence, chosen, 1]
                gold += counts[system, sentence, chosen, 2]
