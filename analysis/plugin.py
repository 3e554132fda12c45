"""What dbt-duckdb loads of ours: functions that SQL gains, and builds that pass what is unchanged.

dbt-duckdb registers the functions when it opens the build file (profiles.yml).
"""

from pathlib import Path
from typing import Any

import duckdb
from dbt.adapters.duckdb.credentials import DuckDBCredentials
from dbt.adapters.duckdb.plugins import BasePlugin

from analysis.sql_registration import register
from analysis.stored.unchanged_nodes import pass_unchanged_nodes


class Plugin(BasePlugin):
    """The hooks through which dbt-duckdb opens the build file."""

    def initialize(self, plugin_config: dict[str, Any]) -> None:
        """Have builds pass what is unchanged."""
        del plugin_config
        pass_unchanged_nodes()

    def update_connection_config(self, creds: DuckDBCredentials, config: dict[str, object]) -> None:
        """Make the warehouse folder, so that dbt can say what it lacks."""
        del config
        Path(creds.path).parent.mkdir(parents=True, exist_ok=True)

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        """Register the functions on the connection that dbt opens."""
        register(conn)
