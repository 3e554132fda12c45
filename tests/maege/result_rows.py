"""Rows of the marts that recommendations read, made by hand."""

from pathlib import Path
from typing import Any

import duckdb

STATEMENTS = Path(__file__).with_suffix(".sql")
BETTER, NOT_BETTER, WORSE = "better than chance", "not better than chance", "worse than chance"


def empty_results() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(STATEMENTS.read_text())
    return connection


def add(marts: duckdb.DuckDBPyConnection, mart: str, **values: Any) -> None:
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    marts.execute(f"insert into {mart} ({names}) values ({marks})", [*values.values()])


def add_best(
    marts: duckdb.DuckDBPyConnection,
    metric: str,
    estimate: float,
    in_best_set: bool,
    level: str = "output",
    judgment_set: str | None = "first",
    verdict: str = BETTER,
    corpus: str = "essays",
) -> None:
    """Insert the result of a metric with an interval of +-0.02, from 100 units."""
    add(
        marts,
        "best_metrics",
        level=level,
        corpus=corpus,
        judgment_set=judgment_set,
        metric=metric,
        estimate=estimate,
        ci_low=estimate - 0.02,
        ci_high=estimate + 0.02,
        verdict=verdict,
        in_best_set=in_best_set,
        n=100,
    )


def add_judgments(
    marts: duckdb.DuckDBPyConnection, *names: str, corpus: str | None = "essays"
) -> None:
    for name in names:
        add(
            marts,
            "judgment_sets",
            judgment_set=name,
            corpus=corpus,
            task="correction",
            language="en" if corpus in ("essays", None) else "cs",
            title=f"The {name} one",
        )
