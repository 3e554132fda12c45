"""Register the statistical functions as SQL functions in a DuckDB connection.

Each process registers them again. A view that calls one of them would fail in a process that did
not register it, so models that use them are tables.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any

import duckdb
from duckdb.func import PythonUDFType

from maege.analysis.code import code_name

# The functions of sql_functions.py: name, types of the arguments, type of the result.
FUNCTIONS: tuple[tuple[str, Sequence[str], str], ...] = (
    ("kendall_p", ["BIGINT", "BIGINT", "BIGINT"], "DOUBLE"),
    ("correlation_p", ["DOUBLE", "BIGINT"], "DOUBLE"),
    ("character_distance", ["VARCHAR", "VARCHAR"], "BIGINT"),
    ("kendall_partial", ["DOUBLE[]", "DOUBLE[]"], "DOUBLE"),
    ("williams_p", ["DOUBLE", "DOUBLE", "DOUBLE", "BIGINT"], "DOUBLE"),
    (
        "expected_wins",
        ["VARCHAR[]", "VARCHAR[]", "BIGINT[]"],
        "STRUCT(system VARCHAR, score DOUBLE, undecided BIGINT)[]",
    ),
    (
        "bootstrap_interval",
        ["DOUBLE[]", "DOUBLE[]", "BIGINT", "BIGINT"],
        "STRUCT(low DOUBLE, high DOUBLE)",
    ),
)


def register(connection: duckdb.DuckDBPyConnection) -> None:
    present = functions_of(connection)
    functions = [
        (name, _imported_when_called(name, len(parameters)), parameters, result)
        for name, parameters, result in FUNCTIONS
    ]
    functions.append(("code_of", arrow_function(code_of, 1), ["VARCHAR"], "VARCHAR"))
    for name, call, parameters, result in functions:
        if name not in present:
            connection.create_function(
                name, call, list(parameters), result, type=PythonUDFType.ARROW
            )


def code_of(packages: Any) -> Any:  # noqa: ANN401 (Arrow's, which has no types)
    """Return a hash of the code of each of these packages, which are siblings of this one."""
    import pyarrow as pa

    # Columns, because DuckDB imports pandas for a function of single values.
    root = Path(__file__).parent.parent
    return pa.array([code_name(root / name) for name in packages.to_pylist()])


def functions_of(connection: duckdb.DuckDBPyConnection) -> set[str]:
    # They belong to the database, not to one connection.
    names = connection.execute("select function_name from duckdb_functions()").fetchall()
    return {name for (name,) in names}


def arrow_function(call: Callable[..., Any], n_parameters: int) -> Callable[..., Any]:
    """Give the function a signature with the number of parameters that DuckDB has to see."""
    places = [Parameter(f"_{n}", Parameter.POSITIONAL_ONLY) for n in range(n_parameters)]
    call.__signature__ = Signature(places)  # type: ignore[attr-defined]
    return call


# DuckDB may call a function after the connection that registered it was closed. Python must not
# have deleted the function by then, so the cache keeps it until the process ends.
@cache
def _imported_when_called(name: str, n_parameters: int) -> Callable[..., Any]:
    def call(*columns: object) -> object:
        return getattr(import_module("maege.analysis.sql_functions"), name)(*columns)

    return arrow_function(call, n_parameters)
