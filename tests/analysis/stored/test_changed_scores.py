"""Incremental models look again at metrics whose scores, or what their scores sum, changed."""

from typing import Any

import duckdb
import pytest

from maege.analysis.stored.caches.changed_scores import ChangedScores, content

SCORES = [("m2", 0, 0.0), ("m2", 1, 1.0), ("ld", 0, 0.5), ("ld", 1, 1.0)]
ALL = {"c/r/ld", "c/r/m2"}


class Target:
    """What a model sees of dbt: its own table's name, and whether it has been built before."""

    is_incremental = True

    def __init__(self) -> None:
        self.this = NamedTable()


class NamedTable:
    identifier = "written"

    def __str__(self) -> str:
        return "written"


@pytest.fixture
def session() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        "create schema ops; "
        "create table ops.model_code as select 'written' as model, 'code' as code; "
        "create table written (scores_key varchar, version varchar); "
        "create table registry as select *, 'warehouse' as scored_by "
        "from (values ('m2', 'm2', 1, true), "
        "('ld', 'source_distance', 2, true)) "
        "as listed (metric, family, signature_key, is_selected); "
        "create table sentence_scores as "
        "select 'c' as corpus, 'r' as reference_set, 's' as system, "
        f"listed.* from (values {str(SCORES)[1:-1]}) as listed (metric, sentence_id, score); "
        "create table system_inputs as "
        "select 'c' as corpus, 'r' as reference_set, 's' as system, "
        "unnest([0, 1]) as sentence_id, 7 as edits_key"
    )
    return connection


def changed_scores(session: duckdb.DuckDBPyConnection, *depends_on: Any) -> ChangedScores:
    return ChangedScores(
        Target(),
        session,
        session.table("sentence_scores"),
        session.table("registry"),
        *depends_on,
        summed_over=session.table("system_inputs"),
    )


def look(session: duckdb.DuckDBPyConnection, *depends_on: Any) -> set[str]:
    """Return what has changed since the last look, and keep its versions as a model does."""
    versions = changed_scores(session, *depends_on).versions
    for key, version in versions.items():
        session.execute("delete from written where scores_key = $1", [key])
        session.execute("insert into written values ($1, $2)", [key, version])
    return set(versions)


def test_everything_is_new_once(session: duckdb.DuckDBPyConnection) -> None:
    assert look(session) == ALL
    assert look(session) == set()


def test_a_changed_sentence_score_concerns_its_metric(session: duckdb.DuckDBPyConnection) -> None:
    look(session)
    session.execute(
        "update sentence_scores set score = 0.25 where metric = 'ld' and sentence_id = 0"
    )
    assert look(session) == {"c/r/ld"}


def test_other_edits_with_the_same_scores_concern_metrics_that_sum(
    session: duckdb.DuckDBPyConnection,
) -> None:
    look(session)
    session.execute("update system_inputs set edits_key = 8 where sentence_id = 0")
    assert look(session) == {"c/r/m2"}


@pytest.mark.parametrize(
    "statement",
    ["update ops.model_code set code = 'changed'", "update registry set signature_key = 3"],
)
def test_changed_code_or_signatures_concern_all(
    statement: str, session: duckdb.DuckDBPyConnection
) -> None:
    look(session)
    session.execute(statement)
    assert look(session) == ALL


def test_changed_settings_concern_all(session: duckdb.DuckDBPyConnection) -> None:
    look(session, 1)
    assert look(session, 2) == ALL


def test_a_part_without_rows_replaces_those_that_it_had(
    session: duckdb.DuckDBPyConnection,
) -> None:
    changed = changed_scores(session)
    rows = [{**changed.part("c", "r", "ld"), "accuracy": 0.5}]
    assert changed.parts_without(rows) == [changed.part("c", "r", "m2")]
    assert {part["scores_key"] for part in changed.parts_without([])} == ALL


def test_content_tells_lists_apart_that_duckdb_hashes_alike() -> None:
    with duckdb.connect() as connection:
        names = {
            content(connection.sql(f"select 1 as id, {samples}::double[] as samples"))
            for samples in ("[]", "[null]", "null", "[0]")
        }
    assert len(names) == 4
