"""Whether a build is of so little data that what surrounds its work is most of it."""

from pathlib import Path

import duckdb

# Lines of all files that were ingested. The sample has 5,800, CoNLL-2014 203,659.
LITTLE_DATA = 20_000


def has_little_data(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether something was ingested into this build file, and little."""
    try:
        ((lines,),) = connection.execute("select sum(lines) from raw.files").fetchall()
    except duckdb.CatalogException:
        return False
    return 0 < (lines or 0) <= LITTLE_DATA


def is_first_build(warehouse: Path) -> bool:
    """Return whether no text was parsed yet."""
    return not (warehouse / "spool" / "text_parses").exists()


def is_small(file: Path) -> bool:
    """Return whether a build file is there that holds little data."""
    if not file.exists():
        return False
    try:
        with duckdb.connect(file, read_only=True) as connection:
            return has_little_data(connection)
    except duckdb.Error:
        # The build says what is wrong with the file.
        return False
