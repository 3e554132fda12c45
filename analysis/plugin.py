"""Functions that SQL gains in this warehouse, for models and for ad hoc queries.

dbt-duckdb registers them when it opens the build file (profiles.yml); `register` gives them to any
other DuckDB connection. They are registered anew by each process, so that a view over one of them
would break for whoever lacks it: models that use them are tables.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import duckdb
import numpy as np
import pyarrow as pa
from dbt.adapters.duckdb.credentials import DuckDBCredentials
from dbt.adapters.duckdb.plugins import BasePlugin
from duckdb.func import PythonUDFType
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from scipy import special

from analysis.statistics.kendall import tau_ties_concordant

Column: TypeAlias = pa.ChunkedArray


class Plugin(BasePlugin):
    """The hooks through which dbt-duckdb opens the build file."""

    def update_connection_config(self, creds: DuckDBCredentials, config: dict[str, object]) -> None:
        """Make the warehouse folder, so that dbt can say what it lacks."""
        del config
        Path(creds.path).parent.mkdir(parents=True, exist_ok=True)

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        """Register the functions on the connection that dbt opens."""
        register(conn)


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Give a connection kendall_p, correlation_p and character_distance."""
    functions: tuple[tuple[Callable[..., pa.Array], Sequence[str], str], ...] = (
        (kendall_p, ["BIGINT", "BIGINT", "BIGINT"], "DOUBLE"),
        (correlation_p, ["DOUBLE", "BIGINT"], "DOUBLE"),
        (character_distance, ["VARCHAR", "VARCHAR"], "BIGINT"),
    )
    # Functions belong to the opened database, which connections of one process share.
    present = {
        name
        for (name,) in connection.execute("select function_name from duckdb_functions()").fetchall()
    }
    for function, parameters, result in functions:
        if function.__name__ in present:
            continue
        connection.create_function(
            function.__name__, function, list(parameters), result, type=PythonUDFType.ARROW
        )


def kendall_p(concordant: Column, discordant: Column, tied: Column) -> pa.Array:
    """Return the p-value of tau over so many pairs, a tie counting as agreement."""
    return pa.array(tau_ties_concordant(*map(_floats, (concordant, discordant, tied))).p)


def correlation_p(coefficient: Column, n: Column) -> pa.Array:
    """Return the two-sided p-value of a correlation of n values, by the t-approximation."""
    r, degrees = _floats(coefficient), _floats(n) - 2
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(r) * np.sqrt(degrees / ((1 + r) * (1 - r)))
    return pa.array(2 * special.stdtr(degrees, -t))


def character_distance(left: Column, right: Column) -> pa.Array:
    """Return the Levenshtein distance in characters (DuckDB's own counts bytes)."""
    pairs = zip(left.to_pylist(), right.to_pylist(), strict=True)
    return pa.array([Levenshtein.distance(a, b) for a, b in pairs], pa.int64())


def _floats(column: Column) -> NDArray[np.float64]:
    values: NDArray[np.float64] = column.to_numpy().astype(np.float64)
    return values
