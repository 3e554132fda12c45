"""Run the queries of the report on the published marts."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import duckdb

from maege.analysis.metrics.own.declared import CHANCE
from maege.report.exhibits import Row
from maege.rows import records
from maege.tasks import VARIANT_OF

_REFERENCES_SHOWN = re.compile(r"\{references_shown: (\w+)\}")


@dataclass(frozen=True)
class Scope:
    """The corpora of the page, the initial one first, and the metrics in detail (empty: all)."""

    corpora: tuple[str, ...]
    metrics: tuple[str, ...] = ()

    @property
    def first(self) -> str:
        """The corpus that the page shows initially; empty without corpora."""
        return next(iter(self.corpora), "")


@dataclass
class Marts:
    """A connection to published marts, and the scope of the page.

    `language` is that of a page across corpora.
    """

    connection: duckdb.DuckDBPyConnection
    scope: Scope
    language: str | None = None

    @cached_property
    def groups(self) -> dict[str, str]:
        """The group of each metric."""
        return {row["metric"]: row["metric_group"] for row in self._rows("groups")}

    def ask(self, name: str) -> list[Row]:
        """Return the rows of the query within the scope; none if its marts do not exist."""
        in_scope = (None, *self.scope.corpora)
        rows = [row for row in self._rows(name) if row.get("corpus") in in_scope]
        names = {"metric", "metric_a", "metric_b"} & (rows[0].keys() if rows else set())
        variants = VARIANT_OF.keys() - {*self.scope.metrics}
        for row in rows if names else []:
            row["variant"] = (
                "standard" if variants.isdisjoint(row[name] for name in names) else "variant"
            )
            if "metric" in names:
                row["metric_group"] = self.group(row["metric"])
        return rows

    def dwell(self, rows: list[Row]) -> list[Row]:
        """Return the rows of the metrics that the page shows in detail."""
        chosen = self.scope.metrics
        return [row for row in rows if not chosen or row["metric"] in chosen]

    def group(self, metric: str) -> str:
        """Return the group of the metric; metrics scored elsewhere have no known group."""
        return "chance" if metric.startswith(CHANCE) else self.groups.get(metric, "texts")

    def metric(self, names: list[str], usual: str) -> str:
        """Return the initial metric of exhibits that show one metric at a time."""
        preferred = (*self.scope.metrics, usual, "gleu", *sorted(names))
        return next((name for name in preferred if name in names), "")

    def _rows(self, name: str) -> list[Row]:
        try:
            answer = self.connection.execute(sql(name))
        except (duckdb.CatalogException, duckdb.BinderException):
            return []
        return records(answer)


def sql(name: str) -> str:
    """Return the text of the query, as it runs in any client.

    `{references_shown: TABLE}` is replaced by the subquery that selects reference sets of a table.
    """
    return _REFERENCES_SHOWN.sub(
        lambda match: _text("references_shown").replace("{scores}", match[1]), _text(name)
    )


def _text(name: str) -> str:
    (file,) = (Path(__file__).parent / "queries").glob(f"*/{name}.sql")
    return file.read_text(encoding="utf-8").strip()


def corpora(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return the published corpora, the one with the most sentences in its lattice first."""
    return records(connection.execute(sql("corpora")))
