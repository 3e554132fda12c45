"""`maege examples`: three example questions with their queries and results."""

import textwrap
from dataclasses import dataclass

import duckdb
from rich.console import Console

from maege.ingest.warehouse import Warehouse, WarehouseError, open_marts
from maege.sql.screen import lines_of

# Files and pipes have no width: nothing is cut or wrapped there.
UNLIMITED = 100_000


@dataclass(frozen=True)
class Example:
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


def show_examples(warehouse: Warehouse, console: Console) -> None:
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
        for example in EXAMPLES:
            sql = textwrap.dedent(example.sql).strip().format(corpus=corpora[0][0])
            console.print(f"\n{example.question}\n")
            console.print(textwrap.indent(sql, "    "), soft_wrap=True)
            console.print()
            console.print(_answer(connection, sql, width), soft_wrap=True)
    console.print(
        "\nA summary of one metric: maege card gleu\n"
        f"More queries: duckdb -readonly {warehouse.marts}   (or any client: docs/connect.md)",
        soft_wrap=True,
    )


def _answer(connection: duckdb.DuckDBPyConnection, sql: str, width: int) -> str:
    answer = connection.execute(sql)
    names = [column[0] for column in answer.description or ()]
    return "\n".join(lines_of(names, answer.fetchall(), width))
