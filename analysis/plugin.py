"""What dbt-duckdb loads of ours: functions that SQL gains, and builds that pass what is unchanged.

dbt-duckdb registers the functions when it opens the build file (profiles.yml); `register` gives
them to any other DuckDB connection. They are registered anew by each process, so that a view over
one of them would break for whoever lacks it: models that use them are tables.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any

import duckdb
from dbt.adapters.duckdb.credentials import DuckDBCredentials
from dbt.adapters.duckdb.plugins import BasePlugin
from duckdb.func import PythonUDFType

from analysis.code import analysis_code

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


class Plugin(BasePlugin):
    """The hooks through which dbt-duckdb opens the build file."""

    def initialize(self, plugin_config: dict[str, Any]) -> None:
        """Have builds pass what is unchanged."""
        del plugin_config
        # Imported here: readers of marts, who want the functions alone, wait a second less.
        from analysis.stored.unchanged_nodes import pass_unchanged_nodes

        pass_unchanged_nodes()

    def update_connection_config(self, creds: DuckDBCredentials, config: dict[str, object]) -> None:
        """Make the warehouse folder, so that dbt can say what it lacks."""
        del config
        Path(creds.path).parent.mkdir(parents=True, exist_ok=True)

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        """Register the functions on the connection that dbt opens."""
        register(conn)


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Give a connection the functions of sql_functions.py, by their names."""
    # Functions belong to the opened database, which connections of one process share.
    present = {
        name
        for (name,) in connection.execute("select function_name from duckdb_functions()").fetchall()
    }
    for name, parameters, result in FUNCTIONS:
        if name not in present:
            connection.create_function(
                name,
                _imported_when_called(name, len(parameters)),
                list(parameters),
                result,
                type=PythonUDFType.ARROW,
            )
    if analysis_code.__name__ not in present:
        connection.create_function(analysis_code.__name__, analysis_code, [], "VARCHAR")


def _imported_when_called(name: str, n_parameters: int) -> Callable[..., Any]:
    def call(*columns: object) -> object:
        return getattr(import_module("analysis.sql_functions"), name)(*columns)

    # DuckDB counts the parameters.
    places = [Parameter(f"_{n}", Parameter.POSITIONAL_ONLY) for n in range(n_parameters)]
    call.__signature__ = Signature(places)  # type: ignore[attr-defined]
    return call
