"""Rows of tables, by column."""

import math
from collections.abc import Mapping
from typing import Any


def without_nan(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row with None, which a table has as NULL, where a number is not defined."""
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in row.items()
    }
