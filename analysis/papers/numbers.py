"""Recomputed numbers of papers, and printed numbers that the warehouse has."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from maege.analysis.stored.rows import table_schema

NUMBERS = table_schema(
    "exhibit varchar, row_label varchar, column_label varchar, reproduced double, corrected double"
)
# The band is the range of the reproduced number over runs or draws.
BANDED_NUMBERS = pa.unify_schemas([NUMBERS, table_schema("band_low double, band_high double")])
MADE_NUMBERS = pa.unify_schemas([NUMBERS, table_schema("made_of varchar")])


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
    """A number of a paper, computed here; `made_of` names metrics that replace the paper's."""

    exhibit: str
    row_label: str
    column_label: str
    reproduced: float
    corrected: float = math.nan
    made_of: str | None = None


# --- Printed numbers that the warehouse has: looked up by the keys of the seed `published` ---

LABELS = ("paper", "exhibit", "row_label", "column_label")
LOOKED_UP = pa.unify_schemas([table_schema("paper varchar"), BANDED_NUMBERS])


class Query(NamedTuple):
    """A table, the columns of its key, and the SQL expression of the rows with that key."""

    mart: str
    columns: tuple[str, ...]
    measure: str


def look_up(
    session: Any, published: list[dict[str, Any]], marts: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return labels, `reproduced`, `corrected`, `band_low` and `band_high` of each printed number.

    A value is missing (no item of the mapping) if no row of the table has the key.

    Args:
        published: rows of the seed `published`.
        marts: relations by the names that the seed has in `mart` and `corrected_mart`.

    Raises:
        ValueError: the table is not in `marts`, or rows with the key have several values.
    """
    numbers = [{name: row[name] for name in LABELS} for row in published]
    requests = defaultdict(list)
    for place, row in enumerate(published):
        for name, query, values in _queries(row):
            requests[query].append((place, name, values))
    for query, requested in requests.items():
        if query.mart not in marts:
            raise ValueError(
                f"seeds/published.csv, {_label(numbers[requested[0][0]])}: "
                f"expected a table of models/replication/recomputed_numbers.py, found {query.mart}"
            )
        keys = [values for *_, values in requested]
        for request, value in _values(session, query, marts[query.mart], keys):
            place, name, _ = requested[request]
            number = numbers[place]
            if name in number:
                raise ValueError(
                    f"seeds/published.csv, {_label(number)}: expected one value of "
                    f"{query.measure} in {query.mart}, found several; add columns to the key"
                )
            number[name] = value
    return numbers


def _queries(row: Mapping[str, Any]) -> Iterator[tuple[str, Query, tuple[str | None, ...]]]:
    corrected = row["corrected_mart"] or row["mart"], row["corrected_measure"] or row["measure"]
    for name, mart, measure, key in (
        ("reproduced", row["mart"], row["measure"], row["reproduced_key"]),
        ("band_low", row["mart"], row["band_low"], row["reproduced_key"]),
        ("band_high", row["mart"], row["band_high"], row["reproduced_key"]),
        ("corrected", *corrected, row["corrected_key"]),
    ):
        if key and measure:
            columns, values = zip(*(part.split("=", 1) for part in key.split(", ")), strict=True)
            yield name, Query(mart, columns, measure), tuple(value or None for value in values)


def _values(
    session: Any, query: Query, mart: Any, values: Sequence[tuple[str | None, ...]]
) -> list[tuple[int, float | None]]:
    types = dict(zip(mart.columns, mart.types, strict=True))
    keys = pa.table(  # noqa: F841 (read by name in the query)
        {"request": range(len(values))}
        | {
            f"key_{n}": pa.array(column, pa.string())
            for n, column in enumerate(zip(*values, strict=True))
        }
    )
    is_equal = " and ".join(
        f"mart.{name} is not distinct from keys.key_{n}::{types[name]}"
        for n, name in enumerate(query.columns)
    )
    # An aggregate has one row per request, and so has any other expression with a single value.
    rows: list[tuple[int, float | None]] = session.sql(
        f"select keys.request, ({query.measure})::double from mart inner join keys on {is_equal} "
        "group by all"
    ).fetchall()
    return rows


def _label(row: Mapping[str, Any]) -> str:
    return ", ".join(str(row[name]) for name in LABELS)
