"""`maege sql` and `maege export table`: rows of the published marts, read-only."""

from pathlib import Path
from typing import Annotated, Literal

import duckdb
import typer
from rich.console import Console
from rich.table import Table

from ingest.warehouse import WarehouseError, find_warehouse, open_marts
from maege.exports.answers import Kind, TooLargeError, as_text, write_answer
from maege.outcome import failures, refuse
from maege.tour import answer_table
from maege.unknown import unknown

MOST_SHOWN = 1000


def sql(
    query: Annotated[str, typer.Argument(metavar="SELECT", help="What to ask.")],
    form: Annotated[
        Literal["table", "csv", "json", "parquet", "xlsx"],
        typer.Option("--format", help="Parquet and xlsx need --out."),
    ] = "table",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write it.")] = None,
) -> None:
    """Ask the published marts, which nobody can change by it.

    \b
    Examples:
      maege sql "select metric, kendall_tau from sentence_correlations where mode = 'paper'"
      maege sql "from corpora" --format json
      maege sql "from type_deltas" --format parquet --out deltas.parquet
    """  # noqa: D301 - click reads the \b
    if out is None and form in ("parquet", "xlsx"):
        raise typer.BadParameter(f"{form} is a file: say --out FILE")
    if out is not None and form == "table":
        raise typer.BadParameter("a table is for the screen: say --format csv, json, parquet, xlsx")
    with failures(as_json=False, reassurance="Nothing was written."):
        connection = _open()
        try:
            if form == "table":
                _print(connection.execute(query))
            elif out is None:
                typer.echo(as_text(connection, query, form).encode(), nl=False)
            else:
                _write(connection, query, form, out)
        except (duckdb.ProgrammingError, duckdb.DataError, duckdb.InvalidInputException) as error:
            refuse(f'{error}\nThe marts and their columns: maege sql "show all tables"')


def table(
    name: Annotated[str, typer.Argument(metavar="MART", help="A published mart.")],
    form: Annotated[Kind, typer.Option("--format", help="What to write.")] = "csv",
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="By default MART.FORMAT, here.")
    ] = None,
) -> None:
    """Write a mart to a file, for a spreadsheet or another program.

    \b
    Examples:
      maege export table sentence_correlations --format xlsx
      maege export table type_deltas --format parquet --out deltas.parquet
    """  # noqa: D301 - click reads the \b
    with failures(as_json=False, reassurance="Nothing was written."):
        connection = _open()
        marts = [
            mart for (mart,) in connection.execute("select name from (show tables)").fetchall()
        ]
        if name not in marts:
            raise typer.BadParameter(unknown("mart", name, marts))
        _write(connection, f'from "{name}"', form, out or Path(f"{name}.{form}"))


def _open() -> duckdb.DuckDBPyConnection:
    try:
        return open_marts(find_warehouse())
    except WarehouseError as error:
        refuse(str(error))


def _write(connection: duckdb.DuckDBPyConnection, query: str, kind: Kind, path: Path) -> None:
    try:
        count = write_answer(connection, query, kind, path)
    except TooLargeError as error:
        refuse(f"{error}.")
    typer.echo(f"{path}: {count:,} rows")


def _print(answer: duckdb.DuckDBPyConnection) -> None:
    names = [column[0] for column in answer.description or ()]
    rows = answer.fetchmany(MOST_SHOWN + 1)
    shown: Table = answer_table(names, rows[:MOST_SHOWN])
    Console(highlight=False, markup=False, soft_wrap=True).print(shown)
    if len(rows) > MOST_SHOWN:
        typer.echo(f"The first {MOST_SHOWN:,} rows. All: --format csv --out FILE", err=True)
