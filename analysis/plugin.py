"""Hooks that dbt-duckdb loads when it opens the build file (profiles.yml)."""

import os
from pathlib import Path
from typing import Any

# NumPy reads this when it is imported. Additional OpenBLAS threads would wait in busy loops and
# take the processor from dbt models that run at the same time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import duckdb
from dbt.adapters.duckdb.plugins import BasePlugin

from maege.analysis.sql_registration import register
from maege.names import in_use, lock_holder


class Plugin(BasePlugin):
    def update_connection_config(self, creds: Any, config: dict[str, object]) -> None:  # noqa: ANN401, ARG002
        """Create the warehouse folder, and report why the build file cannot be opened.

        The error is a RuntimeError, because dbt shows others as tracebacks.
        """
        path = Path(creds.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            return
        try:
            duckdb.connect(path).close()
        except duckdb.Error as error:
            message = str(error).splitlines()[0]
            if process := lock_holder(message):
                raise RuntimeError(in_use(path, process)) from error
            raise RuntimeError(
                f"{path} cannot be opened ({message}). Move it away, then ingest and build again, "
                "or name another folder in MAEGE_WAREHOUSE."
            ) from error

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        register(conn)
