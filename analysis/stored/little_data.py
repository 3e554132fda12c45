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


def is_small_first_build(warehouse: Path) -> bool:
    """Return whether little data were ingested, and no text was parsed yet."""
    file = warehouse / "build.duckdb"
    if (warehouse / "spool" / "text_parses").exists() or not file.exists():
        return False
    try:
        with duckdb.connect(file, read_only=True) as connection:
            return has_little_data(connection)
    except duckdb.Error:
        # The build says what is wrong with the file.
        return False
