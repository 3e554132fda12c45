"""The process that has locked a file is named as in DuckDB's message."""

from maege.names import lock_holder


def test_duckdbs_own_words_name_the_process() -> None:
    message = (
        'IO Error: Could not set lock on file "/w/build.duckdb": Conflicting lock is held in '
        "/usr/bin/python3.11 (PID 99999999). See also https://duckdb.org/docs"
    )
    assert lock_holder(message) == "process 99999999 (python3.11)"
    assert lock_holder("IO Error: Could not set lock on file: elsewhere") == "another process"
    assert lock_holder("IO Error: not a DuckDB file") is None
