"""Recomputed numbers of papers, as models of single exhibits return them."""

import math
from typing import NamedTuple

import pyarrow as pa

NUMBERS = pa.schema(
    {
        "exhibit": pa.string(),
        "row_label": pa.string(),
        "column_label": pa.string(),
        "reproduced": pa.float64(),
        "corrected": pa.float64(),
    }
)
# The range of the reproduced number over runs or draws.
BANDS = pa.schema({"band_low": pa.float64(), "band_high": pa.float64()})
BANDED_NUMBERS = pa.unify_schemas([NUMBERS, BANDS])
MADE_NUMBERS = pa.unify_schemas([NUMBERS, pa.schema({"made_of": pa.string()})])


class BandedNumber(NamedTuple):
    """A number as the published run had it, by the paper's definition, and the former's band."""

    exhibit: str
    row_label: str
    column_label: str
    reproduced: float
    corrected: float
    band_low: float
    band_high: float


class MadeNumber(NamedTuple):
    """A number as the published run had it and by the paper's definition.

    `made_of` names the metrics of the warehouse that replace those of the paper, if there is a
    choice.
    """

    exhibit: str
    row_label: str
    column_label: str
    reproduced: float
    corrected: float = math.nan
    made_of: str | None = None
