"""`maege sql` and `maege examples`: read-only queries on the published marts."""

import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from maege.commands.outcome import argument, failures, option, print_exactly, refuse
from maege.ingest.findings import listing
from maege.ingest.warehouse import Warehouse, WarehouseError, find_warehouse, open_marts
from maege.names import did_you_mean
from maege.rows import column_names, literal, quoted
from maege.tables import Kind, TooLargeError, as_text, lines_of, write_rows
from maege.whole_files import written_whole

if TYPE_CHECKING:
    import duckdb
    from rich.console import Console

MOST_SHOWN = 1000
STANDARD_INPUT = "-"
FILES = ("parquet", "xlsx")
EXPLAIN = re.compile(r"^\s*explain\b(\s+analy[sz]e\b|\s*\(\s*(format|analy[sz]e)\b[^()]*\))?", re.I)

Query = Annotated[
    str | None, argument("A query. Standard input if it is - or missing.", "[SELECT]")
]
File = Annotated[Path | None, option("Read the query from a file.", "FILE", "--file")]
Form = Literal["table", "csv", "json", "markdown", "latex", "parquet", "xlsx"]
FormOption = Annotated[
    Form, option("Output format. Parquet and xlsx need --out.", None, "--format")
]
Out = Annotated[Path | None, option("File to write.", "FILE")]


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

    text = _query(query, file)
    with failures(as_json=False, reassurance="Nothing was written."):
        try:
            opened = connect()
        except WarehouseError as error:
            refuse(str(error))
        with opened as connection, TemporaryDirectory(prefix="maege-sql-") as spill:
            try:
                _answer(connection, text, form, out, spill)
            except TooLargeError as error:
                refuse(f"{error}.")
            except duckdb.InterruptException:
                raise KeyboardInterrupt from None
            except duckdb.Error as error:
                refuse(_problem(error))


def _answer(
    connection: "duckdb.DuckDBPyConnection",
    query: str,
    form: Literal["table"] | Kind,
    out: Path | None,
    spill: str,
) -> None:
    if form == "table" or out is None:
        _forbid_other_files(connection, spill)
        statement = _statement(connection, query)
        if form == "table":
            _show(connection, statement)
        else:
            print_exactly(as_text(connection, statement, form))
    else:
        with written_whole(out) as copy:
            _forbid_other_files(connection, spill, copy)
            statement = _statement(connection, query)
            count = write_rows(connection, statement, form, copy)
        typer.echo(f"{out}: {count:,} rows")
    # The query for the number of rows returns one row even if the result is empty.
    for line in _unmatched_names(connection, statement):
        typer.echo(line, err=True)


def _forbid_other_files(
    connection: "duckdb.DuckDBPyConnection", spill: str, out: Path | None = None
) -> None:
    connection.execute(f"set temp_directory = {literal(spill)}")
    if out is not None:
        connection.execute(f"set allowed_paths = [{literal(str(out))}]")
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")


def _query(query: str | None, file: Path | None) -> str:
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

    from maege.analysis.sql_registration import FUNCTIONS, register

    statements = connection.extract_statements(query)
    # DuckDB splits a pivot without a list of values into two statements without a text.
    is_pivot = len(statements) > 1 and not any(statement.query for statement in statements)
    if len(statements) != 1 and not is_pivot:
        refuse(f"expected one query, found {len(statements) or 'none'}")
    text = query if is_pivot else statements[0].query
    kind = statements[-1].type
    if kind == StatementType.EXPLAIN:
        # `explain analyze` executes the statement that it explains.
        kind = connection.extract_statements(EXPLAIN.sub("", text))[-1].type
    if kind != StatementType.SELECT:
        refuse("the published marts are read-only: use select, from, show or describe")
    if any(name in query for name, *_ in FUNCTIONS):
        register(connection)
    return text


def _show(connection: "duckdb.DuckDBPyConnection", query: str) -> None:
    from maege.terminal import Terminal

    answer = connection.execute(query)
    names = column_names(answer)
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


# --- Errors of a query in one line ---

HINTS = (
    ("Table with name", 'maege sql "show tables" lists the marts'),
    (
        "Cannot access",
        "maege sql reads the published marts and no other file; a program that opens them "
        "read-only can join other files (docs/connect.md)",
    ),
    ("No module named 'pyarrow'", "the SQL functions need it: pip install 'maege[warehouse]'"),
)


def _problem(error: "duckdb.Error") -> str:
    """Return DuckDB's message about a query, which suggests similar names, and what to do."""
    from maege.analysis.metrics.registry import METRICS

    message = str(error)
    function = re.search(r"Function with name (\S+) does not", message)
    if function and function[1] in METRICS:
        return (
            f"there is no function {function[1]} here: metrics are functions of "
            "maege.connect(), in Python"
        )
    lines = [line.strip() for line in message.partition(": ")[2].splitlines()]
    hints = [f"({hint})" for start, hint in HINTS if start in message]
    return " ".join(line for line in (*lines, *hints) if line not in ("", "^"))


# --- Values in a query that a column never has, such as `metric = 'errant_f0.5'` ---

# Columns with more values hold texts, not names.
MOST_NAMES = 10_000


_COMPARED = re.compile(r"\b(\w+)\s*(?:=|\bin\b\s*\()\s*((?:'[^']*'[\s,]*)+)", re.IGNORECASE)


def _unmatched_names(connection: "duckdb.DuckDBPyConnection", query: str) -> list[str]:
    """Return a line for each text that the query compares with a column that never has it."""
    lines = []
    marts = connection.execute(
        "select lower(column_name), table_name from duckdb_columns() where data_type = 'VARCHAR' "
        "group by all order by all"
    ).fetchall()
    for column, texts in _COMPARED.findall(query):
        # A column that the query makes may have other values.
        if re.search(rf"\bas\s+{column}\b", query, re.IGNORECASE):
            continue
        tables = [
            table
            for name, table in marts
            if name == column.lower() and re.search(rf"\b{table}\b", query, re.IGNORECASE)
        ]
        names: set[str] = set()
        for table in tables:
            rows = connection.execute(
                f"select distinct {quoted(column)} from {quoted(table)} limit {MOST_NAMES}"  # noqa: S608
            ).fetchall()
            names |= {name for (name,) in rows if name is not None}
        if 0 < len(names) < MOST_NAMES:
            for name in re.findall("'([^']*)'", texts):
                if name not in names:
                    near = did_you_mean(name, names) or f"There is {listing(sorted(names))}."
                    lines.append(f"No {column} is '{name}' in {', '.join(tables)}. {near}")
    return [*dict.fromkeys(lines)]


# --- Examples ---


# A question and the SQL that answers it; `{corpus}` is replaced by a published corpus.
EXAMPLES = (
    (
        "Which metrics order the corrections of a sentence as its annotators would?",
        """
        select metric, kendall_tau_a as tau_a, ci_low, ci_high, tied_share as tied,
               strict_accuracy as strict, verdict
        from sentence_correlations
        where corpus = '{corpus}' and experiment = 'random_source'
          and n_concordant + n_discordant > 0
        order by kendall_tau_a desc
        """,
    ),
    (
        "Which valid corrections does GLEU reward least, or punish, and how sure is that?",
        """
        select error_type, n_pairs, mean_delta, ci_low, ci_high
        from type_deltas
        where corpus = '{corpus}' and pair_rule = 'adjacent'
          and metric = 'gleu' and n_pairs >= 10
        order by mean_delta
        limit 5
        """,
    ),
    (
        "Which metrics rank corpora by quality? One draw, and the range of many draws.",
        """
        select metric, spearman_rho, draws_median, draws_low, draws_high, n_draws
        from corpus_correlations
        where corpus = '{corpus}' and experiment = 'random_source'
          and spearman_rho is not null
        order by draws_median desc
        """,
    ),
)
# Files and pipes have no width: nothing is cut or wrapped there.
UNLIMITED = 100_000


def example_queries(corpus: str) -> list[tuple[str, str]]:
    """Return questions with their SQL for a corpus."""
    return [
        (question, textwrap.dedent(query).strip().format(corpus=corpus))
        for question, query in EXAMPLES
    ]


def show_examples(warehouse: Warehouse, console: "Console") -> None:
    """Print questions, queries and answers for the smallest corpus; WarehouseError without one."""
    width = console.width if console.is_terminal else UNLIMITED
    with open_marts(warehouse) as connection:
        corpora = connection.execute(
            "select corpus, n_sentences, n_systems, n_annotators from corpora order by n_sentences"
        ).fetchall()
        if not corpora:
            raise WarehouseError(f"{warehouse.marts}: holds no corpus. Run `maege ingest` first.")
        for corpus, sentences, systems, annotators in corpora:
            console.print(
                f"{corpus}: {sentences:,} sentences, {annotators} annotators, {systems} systems"
            )
        for question, query in example_queries(corpora[0][0]):
            answer = connection.execute(query)
            names = column_names(answer)
            console.print(f"\n{question}\n")
            console.print(textwrap.indent(query, "    "), soft_wrap=True)
            console.print()
            table = "\n".join(lines_of(names, answer.fetchall(), width))
            console.print(table, soft_wrap=True)
    console.print(
        "\nA summary of one metric: maege card gleu\n"
        f"More queries: duckdb -readonly {warehouse.marts}   (or any client: docs/connect.md)",
        soft_wrap=True,
    )
