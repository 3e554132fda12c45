"""Numbers of papers, recomputed: what models of single exhibits return."""

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
# Where runs or draws of the reproduced number lie.
BANDS = pa.schema({"band_low": pa.float64(), "band_high": pa.float64()})
BANDED_NUMBERS = pa.unify_schemas([NUMBERS, BANDS])
MADE_NUMBERS = pa.unify_schemas([NUMBERS, pa.schema({"made_of": pa.string()})])


class BandedNumber(NamedTuple):
    """A number as the run had it, by the definition, and the band of the former."""

    exhibit: str
    row_label: str
    column_label: str
    reproduced: float
    corrected: float
    band_low: float
    band_high: float


class MadeNumber(NamedTuple):
    """A number as the run had it and by the definition.

    `made_of` says which metrics of the warehouse stand for those of the paper, where others could.
    """

    exhibit: str
    row_label: str
    column_label: str
    reproduced: float
    corrected: float = math.nan
    made_of: str | None = None
