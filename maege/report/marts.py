"""The published marts as the report reads them: a query by name, and its rows."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from maege.analysis.metrics.own.declared import CHANCE
from maege.cards.facts import records
from maege.report.exhibits import Row

# Metrics that differ from another one in a detail: the page shows them on request.
VARIANTS = frozenset({
    "cleme2_independent", "cleme_independent", "cleme_length", "cleme_length_declared",
    "cleme_length_independent", "cleme_length_independent_declared",
    "errant_no_error", "gleu_equation", "gotoscorer_unweighted", "green_f1", "ibleu_minus",
    "imeasure_mix", "lt37", "lt_maege2018", "lt_napoles2016", "m2_no_error", "max_sari",
    "meaning_meteor", "sari_easse", "sari_hf",
})  # fmt: skip
_REFERENCES_SHOWN = re.compile(r"\{references_shown: (\w+)\}")


@dataclass(frozen=True)
class Scope:
    """What the page is about: corpora, the one shown first; metrics to dwell on, none for all."""

    corpora: tuple[str, ...]
    first: str
    metrics: tuple[str, ...] = ()


@dataclass
class Marts:
    """A connection to published marts, and the scope of the page.

    `groups` says of each metric in which group it is shown.
    """

    connection: duckdb.DuckDBPyConnection
    scope: Scope
    groups: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.groups = {row["metric"]: row["metric_group"] for row in self._rows("groups")}

    def ask(self, name: str) -> list[Row]:
        """Return the rows of the query within the scope; none where its marts are not there."""
        rows = [row for row in self._rows(name) if self._is_meant(row)]
        if rows and "metric" in rows[0]:
            for row in rows:
                row["metric_group"] = self.group(row["metric"])
                is_variant = row["metric"] in VARIANTS - {*self.scope.metrics}
                row["variant"] = "variant" if is_variant else "standard"
        return rows

    def dwell(self, rows: list[Row]) -> list[Row]:
        """Return the rows of the metrics that the page dwells on."""
        chosen = self.scope.metrics
        return [row for row in rows if not chosen or row["metric"] in chosen]

    def group(self, metric: str) -> str:
        """Return the group of the metric; scores from elsewhere are of no known one."""
        return "chance" if metric.startswith(CHANCE) else self.groups.get(metric, "texts")

    def metric(self, names: list[str]) -> str:
        """Return the metric shown first where one is shown at a time."""
        wanted = (*self.scope.metrics, "gleu", *sorted(names))
        return next((name for name in wanted if name in names), "")

    def _is_meant(self, row: Row) -> bool:
        return row.get("corpus") is None or row["corpus"] in self.scope.corpora

    def _rows(self, name: str) -> list[Row]:
        try:
            answer = self.connection.execute(sql(name))
        except (duckdb.CatalogException, duckdb.BinderException):
            return []
        return records(answer)


def sql(name: str) -> str:
    """Return the text of the query, as it runs in any client.

    `{references_shown: TABLE}` stands for the step that chooses references among the table's.
    """
    return _REFERENCES_SHOWN.sub(
        lambda found: _text("references_shown").replace("{scores}", found[1]), _text(name)
    )


def _text(name: str) -> str:
    (file,) = (Path(__file__).parent / "queries").glob(f"*/{name}.sql")
    return file.read_text(encoding="utf-8").strip()


def corpora(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return the published corpora, the one with the most sentences in its lattice first."""
    return records(connection.execute(sql("corpora")))
