"""What dbt-duckdb loads of ours: functions that SQL gains, and builds that pass what is unchanged.

dbt-duckdb registers the functions when it opens the build file (profiles.yml).
"""

import os
from pathlib import Path
from typing import Any

import duckdb
from dbt.adapters.duckdb.credentials import DuckDBCredentials
from dbt.adapters.duckdb.plugins import BasePlugin
from dbt.task.runnable import GraphRunnableTask
from dbt_common.exceptions import DbtRuntimeError

from analysis.sql_registration import register
from analysis.stored.little_data import has_little_data
from analysis.stored.passing_nodes import pass_unchanged_nodes
from analysis.stored.spared_work import collect_garbage
from analysis.workers.interrupts import end_workers
from analysis.workers.without_pandas import spare_pandas
from build_holder import holder_in, in_use

_cancel_connections = GraphRunnableTask._cancel_connections


class Plugin(BasePlugin):
    """The hooks through which dbt-duckdb opens the build file."""

    def initialize(self, plugin_config: dict[str, Any]) -> None:
        """Have builds pass what is unchanged, and interrupts reach their workers."""
        del plugin_config
        spare_pandas()
        pass_unchanged_nodes()
        GraphRunnableTask._cancel_connections = _end_workers_and_cancel  # type: ignore[method-assign]

    def update_connection_config(self, creds: DuckDBCredentials, config: dict[str, object]) -> None:
        """Make the warehouse folder, so that dbt can say what it lacks, and say what is in the way.

        Where there is little data, DuckDB has one thread: dbt runs two models side by side, and a
        second thread for each takes more than it gives. Nor is garbage of parsing looked for.

        Raises:
            DbtRuntimeError: another process has the build file, or it is no DuckDB file. dbt shows
                what DuckDB says of it as a traceback.

        """
        path = Path(creds.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        is_little = path.exists() and _opened_once(path)
        collect_garbage(of_parsing=not is_little)
        if is_little and "MAEGE_THREADS" not in os.environ:
            config["threads"] = 1

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        """Register the functions on the connection that dbt opens."""
        register(conn)


def _end_workers_and_cancel(task: GraphRunnableTask, pool: object) -> None:
    """Do what dbt does when it is interrupted, which waits for its threads, but let these end."""
    end_workers()
    _cancel_connections(task, pool)  # type: ignore[no-untyped-call]


def _opened_once(path: Path) -> bool:
    """Return whether the file holds little data."""
    try:
        with duckdb.connect(path) as connection:
            return has_little_data(connection)
    except duckdb.Error as error:
        message = str(error).splitlines()[0]
        if holder := holder_in(message):
            raise DbtRuntimeError(in_use(path, holder)) from error
        raise DbtRuntimeError(
            f"{path} cannot be opened ({message}). Move it away, then ingest and build again, or "
            "name another folder in MAEGE_WAREHOUSE."
        ) from error
