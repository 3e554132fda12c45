"""Whether the marts of a build belong together, and which corpora keep it from being published."""

from typing import NamedTuple

import duckdb

_OLDER = """
    with recursive changed as (
        select distinct made_of.relation, made_of.input
        from ops.made_of as made_of
        left join ops.states as states on made_of.input = states.relation
        where made_of.state <> coalesce(states.state, '')
    ),

    older as (
        select relation, input from changed
        union
        select made_of.relation, older.input
        from ops.made_of as made_of
        inner join older on made_of.input = older.relation
    )

    select split_part(relation, '.', 2), input
    from older
    where starts_with(relation, 'marts.') or starts_with(relation, 'stored.')
    order by all
"""
_SHOWN = 5


class Older(NamedTuple):
    """Marts that are older than what they are made of, and the tables that changed since."""

    marts: list[str]
    changed: list[str]

    def __str__(self) -> str:
        are = "mart is" if len(self.marts) == 1 else "marts are"
        return (
            f"{len(self.marts)} {are} older than what they are made of: {_listed(self.marts)}; "
            f"changed since: {_listed(self.changed)}. Run: maege build"
        )


_BLAMED = """
    select failures.corpus, min(failures.sentence_id)
    from ops.failures as failures
    inner join ops.node_results as results on failures.node = results.node
    where failures.corpus is not null
    group by failures.corpus
    order by all
"""


def older_marts(build: duckdb.DuckDBPyConnection) -> Older | None:
    """Return the marts of a build file that are older than what they are made of, if there are any.

    What each table was made of stands in ops.made_of (macros/building/made_of.sql); None, too,
    where an older version of maege built.
    """
    if not _has(build, "made_of"):
        return None
    rows = build.execute(_OLDER).fetchall()
    if not rows:
        return None
    marts, changed = zip(*rows, strict=True)
    return Older(sorted(set(marts)), sorted(set(changed)))


def blamed_corpora(build: duckdb.DuckDBPyConnection) -> list[str]:
    """Return, for each corpus in which a data test found rows, what takes it out of the build."""
    if not _has(build, "failures"):
        return []
    return [
        f"corpus {corpus}"
        + (f", sentence {sentence}" if sentence is not None else "")
        + f": to build and publish the others, maege remove {corpus} && maege build"
        for corpus, sentence in build.execute(_BLAMED).fetchall()
    ]


def _has(build: duckdb.DuckDBPyConnection, table: str) -> bool:
    found = build.execute(
        "select count(*) from duckdb_tables() where schema_name = 'ops' and table_name = $1",
        [table],
    ).fetchall()
    return found != [(0,)]


def _listed(names: list[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
