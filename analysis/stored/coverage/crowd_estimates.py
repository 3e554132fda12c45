"""Estimated distributions as rows: the results for a chunk of histograms, and how to read them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from maege.analysis.code import code_behind_module
from maege.analysis.statistics.coverage import (
    Distribution,
    rare_unseen_estimate,
    redrawn_estimates,
    unseen_estimate,
)
from maege.analysis.stored.rows import rows_to_table

# Resample 0 is the histogram itself.
SCHEMA = pa.schema(
    {
        "histogram": pa.string(),
        "signature": pa.string(),
        "redraw": pa.int32(),
        "redrawn": pa.list_(pa.int32()),
        "frequencies": pa.list_(pa.float64()),
        "variants": pa.list_(pa.float64()),
    }
)
HISTOGRAMS_PER_CHUNK = 4
ESTIMATORS = {"unseenest": unseen_estimate, "unseenest_rare": rare_unseen_estimate}
# The paper's programme has no interval: resampled answers contain the true coverage in as few as 25
# of 100 simulated cases (tests/simulations/coverage_estimators.py).
WITHOUT_INTERVAL = ("unseenest",)


@dataclass(frozen=True)
class HistogramChunk:
    """Histograms as text, the numbers separated by commas, with the other keys of their rows."""

    histograms: list[str]
    estimator: str
    signature: str
    redraws: int
    seed: int

    @property
    def description(self) -> str:
        """Name of the chunk in error messages."""
        return f"the histograms {' and '.join(self.histograms)} by {self.estimator}"


def estimates_signature(estimator: str, redraws: int, seed: int) -> str:
    """Return the key of a solution besides its histogram: the settings and the solver's code."""
    code = code_behind_module("maege.analysis.statistics.coverage")
    return f"{estimator}|redraws:{redraws}|seed:{seed}|{code}"


def redraws_of(estimator: str, redraws: int) -> int:
    """Return how often answers are resampled for an estimator: never if it has no interval."""
    return 0 if estimator in WITHOUT_INTERVAL else redraws


def plan_histograms(
    histograms: list[str], estimator: str, redraws: int, seed: int
) -> Iterator[HistogramChunk]:
    """Yield the histograms in chunks of some seconds of work."""
    signature = estimates_signature(estimator, redraws, seed)
    for start in range(0, len(histograms), HISTOGRAMS_PER_CHUNK):
        chosen = histograms[start : start + HISTOGRAMS_PER_CHUNK]
        yield HistogramChunk(chosen, estimator, signature, redraws_of(estimator, redraws), seed)


def parsed_histogram(text: str) -> list[int]:
    """Return the numbers of a histogram that is stored as text."""
    return [int(number) for number in text.split(",")]


def estimate_chunk(chunk: HistogramChunk) -> pa.Table:
    """Return the rows of the chunk's histograms: one for each resample of each."""
    rows = [
        {
            "histogram": text,
            "signature": chunk.signature,
            "redraw": redraw,
            "redrawn": redrawn,
            "frequencies": found.frequencies,
            "variants": found.variants,
        }
        for text in chunk.histograms
        for redraw, (redrawn, found) in enumerate(
            redrawn_estimates(
                parsed_histogram(text), ESTIMATORS[chunk.estimator], chunk.redraws, chunk.seed
            )
        )
    ]
    return rows_to_table(rows, SCHEMA)


def stored_distribution(frequencies: list[float], variants: list[float]) -> Distribution:
    """Return a stored solution."""
    return Distribution(np.asarray(frequencies), np.asarray(variants))
