"""The command `maege results`: an overview of the published results, or a query on them."""

from typing import TYPE_CHECKING

import typer

from maege.commands.outcome import failures
from maege.sql import File, FormOption, Out, Query, answer_query

if TYPE_CHECKING:
    import duckdb

    from maege.cards.parts import Part

METRICS_SHOWN = 4
_BEST = f"""
    with tasks as (
        select
            level, coalesce(judgment_set, corpus) as data_set, metric, in_best_set,
            coalesce(judgment_sets.language, corpora.language) as language
        from best_metrics
        left join corpora using (corpus)
        left join judgment_sets using (judgment_set)
        where too_few is null
    ),

    by_metric as (
        select level, language, metric, count(*) filter (in_best_set) as n_best
        from tasks
        group by all
    ),

    data_sets as (
        select level, language, count(distinct data_set) as n_data_sets from tasks group by all
    )

    select
        level, language, n_data_sets,
        list(metric || ' ' || n_best order by n_best desc, metric)[:{METRICS_SHOWN}]
    from data_sets
    inner join by_metric using (level, language)
    where n_best > 0
    group by all
    order by
        any_value(array_position(['sentence', 'corpus', 'edit', 'system', 'output'], level)),
        n_data_sets desc, language
"""  # noqa: S608 - a number of ours
_LANGUAGES = """
    with judged as (
        select language, list(distinct judgment_set order by judgment_set) as judgment_sets
        from judgment_sets
        group by language
    )

    select
        language, list(corpus order by corpus) filter (corpus is not null),
        any_value(judgment_sets)
    from corpora
    full join judged using (language)
    group by language
    order by count(corpus) desc, language
"""


def results(
    query: Query = None, file: File = None, form: FormOption = "table", out: Out = None
) -> None:
    """Show the published results of public corpora, which need no warehouse.

    Without a query: which corpora, languages and judgment sets they cover, and which metrics are
    best. A query is written as for `maege sql` and reads the same tables, without texts and
    sentences. `from mart_columns` lists all columns and says why some are excluded.

    \b
    Examples:
      maege results
      maege results "from best_metrics where corpus = 'conll14' and in_best_set"
      maege results "from metrics" --format json
    """  # noqa: D301 - click reads the \b
    from maege.shipped.read import results as open_results

    if query is not None or file is not None:
        answer_query(open_results, query, file, form, out)
        return
    if form != "table" or out is not None:
        raise typer.BadParameter('--format and --out need a query: maege results "from corpora"')
    from maege.cards.output import show

    with failures(as_json=False, reassurance="Nothing was written."), open_results() as connection:
        parts = overview(connection)
    show(parts)


def overview(connection: "duckdb.DuckDBPyConnection") -> "list[Part]":
    """Return what the results cover, and the best metrics by task and language."""
    from maege.cards.parts import read_parts
    from maege.shipped.read import read_provenance
    from maege.tasks import TASKS

    ((n_corpora, n_languages, n_judgment_sets),) = connection.execute(
        "select (select count(*) from corpora), (select count(distinct language) from corpora), "
        "(select count(*) from judgment_sets)"
    ).fetchall()
    return read_parts(
        "shipped/overview.txt.j2",
        n_corpora=n_corpora,
        n_languages=n_languages,
        n_judgment_sets=n_judgment_sets,
        provenance=read_provenance(),
        tasks=TASKS,
        n_metrics=METRICS_SHOWN,
        best=connection.execute(_BEST).fetchall(),
        covered=connection.execute(_LANGUAGES).fetchall(),
    )
