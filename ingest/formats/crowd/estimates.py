"""A released estimate of UnseenEst: how many variants have which frequency.

    frequency	# of variants
    0.0002	1054.95

One point of the grid of frequencies a line.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from maege.ingest.findings import Findings, quote

HEADER = "frequency\t# of variants"


class Point(NamedTuple):
    """How many variants, not necessarily whole, have a frequency."""

    line: int
    frequency: float
    variants: float


def parse_estimate(lines: Sequence[str], shown: str, findings: Findings) -> list[Point]:
    """Return the points; each fault becomes a finding and its line is left out."""
    if not lines or lines[0] != HEADER:
        findings.add(
            shown,
            1,
            f"the header {quote(lines[0])}" if lines else "an empty file",
            "the header frequency, # of variants, separated by a tab",
            "Name the output of UnseenEst, not its input.",
        )
        return []
    points = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            frequency, variants = map(float, line.split("\t"))
            if not (math.isfinite(frequency + variants) and frequency > 0):
                raise ValueError
        except ValueError:
            findings.add(
                shown,
                number,
                quote(line),
                "a frequency above 0 and a number of variants, separated by a tab",
                "Correct or remove the line.",
            )
            continue
        points.append(Point(number, frequency, variants))
    return points
