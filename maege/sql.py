"""`maege sql` and `maege examples`: read-only queries on the published marts."""

import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from maege.commands.outcome import argument, failures, option, print_exactly, refuse
from maege.ingest.findings import listing
from maege.ingest.warehouse import Warehouse, WarehouseError, find_warehouse, open_marts
from maege.names import did_you_mean
from maege.rows import column_names, literal
from maege.tables import Kind, TooLargeError, as_text, lines_of, write_rows
from maege.whole_files import written_whole

if TYPE_CHECKING:
    import duckdb
    from duckdb import StatementType
    from rich.console import Console

MOST_SHOWN = 1000
STANDARD_INPUT = "-"
FILES = ("parquet", "xlsx")
EXPLAIN = re.compile(r"\s*explain(\s+analy[sz]e)?\b", re.IGNORECASE)
EXPLAIN_WITH_OPTIONS = re.compile(rf"{EXPLAIN.pattern}\s*\([^()]*\)", re.IGNORECASE)

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
                refuse(problem(connection, error))


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
    kind: StatementType | None = statements[-1].type
    if kind == StatementType.EXPLAIN:
        kind = _explained(connection, text)
    if kind != StatementType.SELECT:
        refuse("the published marts are read-only: use select, from, show or describe")
    if any(name in query for name, *_ in FUNCTIONS):
        register(connection)
    return text


def _explained(connection: "duckdb.DuckDBPyConnection", text: str) -> "StatementType | None":
    """Return the type of the statement that is explained: `explain analyze` executes it.

    None if that cannot be known.
    """
    import duckdb

    for prefix in (EXPLAIN, EXPLAIN_WITH_OPTIONS):
        if match := prefix.match(text):
            try:
                return connection.extract_statements(text[match.end() :])[-1].type
            except (duckdb.ParserException, IndexError):
                continue
    return None


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


# --- Errors of a query in one line, with suggestions for wrong names ---

LISTED = '; maege sql "show tables" lists them'
_TABLE = re.compile(r"Table with name (\S+) does not exist")
_COLUMN = re.compile(
    r'Referenced column "([^"]+)" (?:not found|was not found)|'
    r'(?:does not have a column named|Table "[^"]+" does not have a column named) "([^"]+)"'
)
_FUNCTION = re.compile(r"Function with name (\S+) does not exist")
_SYNTAX = re.compile(r'syntax error at or near "([^"]*)"')
_OTHER_FILE = re.compile(r'Cannot access (?:file|directory) "([^"]*)"')
_WORDS = ["select", "from", "where", "group", "order", "having", "limit", "join", "using", "with"]


def problem(connection: "duckdb.DuckDBPyConnection", error: "duckdb.Error") -> str:
    """Return the message for an error of DuckDB about a query."""
    from maege.analysis.metrics.registry import METRICS
    from maege.analysis.sql_registration import FUNCTIONS, functions_of

    message = str(error)
    line = re.search(r"^LINE (\d+): (.*)$", message, re.MULTILINE)
    where = f" in line {line[1]}: {line[2].strip()[:60]}" if line else ""
    if match := _TABLE.search(message):
        marts = connection.execute("select name from (show tables)").fetchall()
        near = _like(match[1], [name for (name,) in marts])
        text = f"there is no mart {match[1]}{near or LISTED}"
    elif match := _COLUMN.search(message):
        text = _unknown_column(connection, match[1] or match[2], message)
    elif match := _FUNCTION.search(message):
        functions = sorted({*functions_of(connection), *(name for name, *_ in FUNCTIONS)})
        is_metric = match[1] in METRICS
        hint = " here: metrics are functions of maege.connect(), in Python" if is_metric else ""
        text = f"there is no function {match[1]}{hint or _like(match[1], functions)}"
    elif match := _OTHER_FILE.search(message):
        text = (
            f"{match[1]}: maege sql reads the published marts and no other file; a program that "
            "opens them read-only can join other files (docs/connect.md)"
        )
    elif match := _SYNTAX.search(message):
        text = f'syntax error at or near "{match[1]}"{where}{_like(match[1], _WORDS)}'
    else:
        first = message.splitlines()[0]
        text = f"{first.partition(': ')[2] or first}{where}"
    return " ".join(text.split())


def _unknown_column(connection: "duckdb.DuckDBPyConnection", name: str, message: str) -> str:
    """Return similar columns of the marts in the query, or all their columns if none is similar."""
    query = message.partition("LINE ")[2]
    rows = connection.execute(
        "select table_name, column_name from duckdb_columns() where not internal "
        "order by table_name, column_index"
    ).fetchall()
    in_query = [pair for pair in rows if re.search(rf"\b{re.escape(pair[0])}\b", query)]
    column_names = [column for _, column in in_query or rows]
    if candidates := re.search(r"Candidate bindings: (.*)", message):
        column_names += [name.split(".")[-1] for name in re.findall(r'"([^"]+)"', candidates[1])]
    columns = f"; there is {listing(list(dict.fromkeys(column_names)))}" if in_query else ""
    return f"there is no column {name}{_like(name, column_names) or columns}"


def _like(name: str, names: list[str]) -> str:
    near = did_you_mean(name, names, 3)
    return f". {near}" if near else ""


# --- Values in a query that a column never has, such as `metric = 'errant_f0.5'` ---

# Columns with more values hold texts, not names.
MOST_NAMES = 10_000


def unmatched_names(connection: "duckdb.DuckDBPyConnection", query: str) -> list[str]:
    """Return a line for each text that the query compares with a column that never has it."""
    import duckdb

    try:
        # As text: to bind a parameter, DuckDB imports pandas.
        ((tree,),) = connection.execute(f"select json_serialize_sql({literal(query)})").fetchall()
    except duckdb.Error:
        return []
    nodes = [*_nodes(json.loads(tree))]
    tables = [*dict.fromkeys(n["table_name"] for n in nodes if n.get("type") == "BASE_TABLE")]
    # A column that the query makes may have other values.
    aliases = {node.get("alias") for node in nodes}
    lines = []
    for column, name in dict.fromkeys(pair for node in nodes for pair in _compared(node)):
        names = set() if column in aliases else _text_values(connection, tables, column)
        if names and name not in names:
            shown = did_you_mean(name, names) or f"There is {listing(sorted(names))}."
            lines.append(f"No {column} is '{name}' in {', '.join(tables)}. {shown}")
    return lines


def _nodes(value: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 (JSON)
    if isinstance(value, dict):
        yield value
        value = [*value.values()]
    if isinstance(value, list):
        for inner in value:
            yield from _nodes(inner)


def _compared(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield a column and each text that it must be equal to."""
    if node.get("type") == "COMPARE_EQUAL":
        operands = [node["left"], node["right"]]
    elif node.get("type") == "COMPARE_IN":
        operands = node["children"]
    else:
        return
    columns = [part["column_names"][-1] for part in operands if part.get("class") == "COLUMN_REF"]
    texts = [part["value"]["value"] for part in operands if part.get("class") == "CONSTANT"]
    if len(columns) == 1:
        yield from ((columns[0], text) for text in texts if isinstance(text, str))


def _text_values(
    connection: "duckdb.DuckDBPyConnection", tables: list[str], column: str
) -> set[str]:
    """Return the distinct texts of a column in the tables; nothing if there are too many."""
    from duckdb import ColumnExpression

    texts: set[str] = set()
    rows = connection.execute(
        "select distinct table_name, column_name from duckdb_columns() where data_type = 'VARCHAR'"
    ).fetchall()
    for table, name in rows:
        if table in tables and name.lower() == column.lower():
            values = connection.table(table).select(ColumnExpression(name)).distinct()
            texts |= {text for (text,) in values.limit(MOST_NAMES).fetchall() if text is not None}
    return texts if len(texts) < MOST_NAMES else set()


# --- Examples ---


class Example(NamedTuple):
    """A question and the SQL that answers it; `{corpus}` is replaced by a published corpus."""

    question: str
    sql: str


EXAMPLES = (
    Example(
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
    Example(
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
    Example(
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


def example_queries(corpus: str) -> list[Example]:
    """Return the examples with their SQL for a corpus."""
    return [
        Example(question, textwrap.dedent(query).strip().format(corpus=corpus))
        for question, query in EXAMPLES
    ]


def show_examples(warehouse: Warehouse, console: "Console") -> None:
    """Print the questions, their queries and answers, for the smallest published corpus.

    Raises:
        WarehouseError: nothing is published yet.

    """
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
