"""The command `maege sql`: one query, from an argument, a file or standard input."""

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from maege.commands.outcome import failures, print_exactly, refuse
from maege.exports.answers import Kind, TooLargeError, as_text, write_rows
from maege.ingest.warehouse import WarehouseError, find_warehouse, open_marts
from maege.sql.quoting import literal
from maege.sql.screen import lines_of
from maege.whole_files import written_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb
    from duckdb import StatementType

MOST_SHOWN = 1000
STANDARD_INPUT = "-"
FILES = ("parquet", "xlsx")
EXPLAIN = re.compile(r"\s*explain(\s+analy[sz]e)?\b", re.IGNORECASE)
EXPLAIN_WITH_OPTIONS = re.compile(rf"{EXPLAIN.pattern}\s*\([^()]*\)", re.IGNORECASE)


Query = Annotated[
    str | None,
    typer.Argument(metavar="[SELECT]", help="A query. Standard input if it is - or missing."),
]
File = Annotated[
    Path | None, typer.Option("--file", metavar="FILE", help="Read the query from a file.")
]
Form = Literal["table", "csv", "json", "markdown", "latex", "parquet", "xlsx"]
FormOption = Annotated[
    Form, typer.Option("--format", help="Output format. Parquet and xlsx need --out.")
]
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="File to write.")]


def sql(
    query: Query = None, file: File = None, form: FormOption = "table", out: Out = None
) -> None:
    """Run a read-only SQL query on the published marts.

    Queries read the published marts and no other file. A result that is wider than the terminal is
    shown record by record. The SQL functions of this project (docs/connect.md) are available.

    \b
    Examples:
      maege sql "select metric, kendall_tau_a from sentence_correlations"
      maege sql "from corpora" --format json
      maege sql "from type_deltas" --format parquet --out deltas.parquet
      maege sql --file analysis/queries/lattices/ties_in_tau.sql
      echo "from metrics" | maege sql --format markdown
    """  # noqa: D301 - click reads the \b
    answer_query(lambda: open_marts(find_warehouse()), query, file, form, out)


def answer_query(
    connect: "Callable[[], duckdb.DuckDBPyConnection]",
    query: str | None,
    file: Path | None,
    form: Form,
    out: Path | None,
) -> None:
    """Run one query on a connection, and show or write its rows; exit code 2 if it is invalid."""
    if out is None and form in FILES:
        raise typer.BadParameter(f"{form} needs a file: give --out FILE")
    if out is not None and form == "table":
        raise typer.BadParameter(
            "a table is for the screen; give --format csv, json, markdown, latex, parquet or xlsx"
        )
    import duckdb

    asked = _query(query, file)
    with failures(as_json=False, reassurance="Nothing was written."):
        try:
            opened = connect()
        except WarehouseError as error:
            refuse(str(error))
        with opened as connection, TemporaryDirectory(prefix="maege-sql-") as spill:
            try:
                _answer(connection, asked, form, out, spill)
            except TooLargeError as error:
                refuse(f"{error}.")
            except duckdb.InterruptException:
                raise KeyboardInterrupt from None
            except duckdb.Error as error:
                from maege.sql.problems import problem

                refuse(problem(connection, error))


def _answer(
    connection: "duckdb.DuckDBPyConnection",
    asked: str,
    form: Literal["table"] | Kind,
    out: Path | None,
    spill: str,
) -> None:
    from maege.sql.unmatched import unmatched_names

    if form == "table" or out is None:
        _forbid_other_files(connection, spill)
        statement = _statement(connection, asked)
        if form == "table":
            _show(connection, statement)
        else:
            print_exactly(as_text(connection, statement, form))
    else:
        with written_whole(out) as copy:
            _forbid_other_files(connection, spill, copy)
            statement = _statement(connection, asked)
            count = write_rows(connection, statement, form, copy)
        typer.echo(f"{out}: {count:,} rows")
    # The query for the number of rows returns one row even if the result is empty.
    for line in unmatched_names(connection, statement):
        typer.echo(line, err=True)


def _forbid_other_files(
    connection: "duckdb.DuckDBPyConnection", spill: str, out: Path | None = None
) -> None:
    """Restrict file access to the marts, the output file and the folder for spilled data.

    Queries cannot lift the restriction.
    """
    connection.execute(f"set temp_directory = {literal(spill)}")
    if out is not None:
        connection.execute(f"set allowed_paths = [{literal(str(out))}]")
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")


def _query(query: str | None, file: Path | None) -> str:
    """Return the query from the argument, the file or standard input."""
    if query is not None and file is not None:
        refuse("give the query or --file, not both")
    if file is not None:
        try:
            text = file.read_text(encoding="utf-8")
        except OSError as error:
            refuse(f"{file}: {error.strerror}")
        except UnicodeDecodeError:
            refuse(f"{file}: found other bytes than UTF-8, expected text in UTF-8")
    elif query is not None and query != STANDARD_INPUT:
        text = query
    else:
        text = "" if query is None and sys.stdin.isatty() else sys.stdin.read()
    # A shell in a locale without UTF-8 passes the bytes in this form.
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if not text.strip():
        refuse('the query is empty; maege sql "show tables" lists the marts')
    return text


def _statement(connection: "duckdb.DuckDBPyConnection", query: str) -> str:
    """Return the single statement of the query, and register MAEGE's functions if it uses them."""
    from duckdb import StatementType

    statements = connection.extract_statements(query)
    # DuckDB splits a pivot without a list of values into two statements without a text.
    is_pivot = len(statements) > 1 and not any(statement.query for statement in statements)
    if len(statements) != 1 and not is_pivot:
        refuse(f"expected one query, found {len(statements) or 'none'}")
    text = query if is_pivot else statements[0].query
    kind: StatementType | None = statements[-1].type
    if kind == StatementType.EXPLAIN:
        kind = _explained(connection, text)
    if kind != StatementType.SELECT:
        refuse("the published marts are read-only: use select, from, show or describe")
    if any(name in query for name in _functions()):
        from maege.analysis.sql_registration import register

        register(connection)
    return text


def _explained(connection: "duckdb.DuckDBPyConnection", text: str) -> "StatementType | None":
    """Return the type of the statement that is explained: `explain analyze` executes it.

    None if that cannot be known.
    """
    import duckdb

    for prefix in (EXPLAIN, EXPLAIN_WITH_OPTIONS):
        if found := prefix.match(text):
            try:
                return connection.extract_statements(text[found.end() :])[-1].type
            except (duckdb.ParserException, IndexError):
                continue
    return None


def _functions() -> list[str]:
    from maege.analysis.sql_registration import FUNCTIONS

    return [name for name, *_ in FUNCTIONS]


def _show(connection: "duckdb.DuckDBPyConnection", query: str) -> None:
    from maege.terminal import Terminal

    answer = connection.execute(query)
    names = [column[0] for column in answer.description or ()]
    rows = answer.fetchmany(MOST_SHOWN + 1)
    for line in lines_of(names, rows[:MOST_SHOWN], Terminal().width):
        typer.echo(line)
    if len(rows) > MOST_SHOWN:
        ((count,),) = connection.execute(f"select count(*) from ({query.rstrip('; ')})").fetchall()  # noqa: S608
        typer.echo(
            f"Shown: the first {MOST_SHOWN:,} of {count:,} rows. All rows: --format csv --out FILE",
            err=True,
        )
    elif not rows:
        typer.echo("0 rows", err=True)
