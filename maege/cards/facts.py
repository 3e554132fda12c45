"""Read the facts of `maege card` about a metric from the published marts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb

from maege.analysis.metrics.own.declared import CHANCE
from maege.cards.published import Published, read_published
from maege.ingest.warehouse import Warehouse
from maege.names import UnknownError, unknown
from maege.rows import Row, records
from maege.shipped.read import open_marts_or_results

# The five sentences whose score falls most, each with its largest fall.
_WORST_PAIRS = """
    with worst_of_sentence as (
        select * from discordant_pairs
        where metric = $metric and corpus = $corpus
        qualify row_number() over (partition by experiment, sentence_id order by badness_rank) = 1
    )
    select
        pairs.experiment,
        row_number() over (partition by pairs.experiment order by pairs.badness_rank) as rank,
        pairs.* exclude (experiment),
        scores.source_text,
        lower_nodes.text as lower_text,
        upper_nodes.text as upper_text
    from worst_of_sentence as pairs
    join lattice_nodes as lower_nodes on pairs.lower_node_id = lower_nodes.node_id
    join lattice_nodes as upper_nodes on pairs.upper_node_id = upper_nodes.node_id
    join node_scores as scores
        on pairs.corpus = scores.corpus
        and pairs.experiment = scores.experiment and pairs.metric = scores.metric
        and pairs.chain_id = scores.chain_id and pairs.upper_position = scores.position
    qualify rank <= 5
    order by pairs.experiment desc, rank
"""


_TASKS = """
    select
        level, corpus, judgment_set, metric, estimate, ci_low, ci_high, verdict, best_share,
        in_best_set, n, too_few
    from best_metrics
    order by
        array_position(
            ['sentence', 'corpus', 'edit', 'system', 'output'], level
        ),
        corpus, judgment_set, metric
"""
# The metrics that most papers report.
MOST_USED = ("errant", "gleu", "m2")


@dataclass(frozen=True)
class Card:
    """The rows of `metric_cards` for a metric, and the sentences in which its score falls most.

    `corpus` is None if no corpus has scores of the metric at corrections of known quality. The
    facts include rows of `chance_...`, and human rankings of all corpora. `preferences` are rows of
    `step_preferences`, for a metric that compares two texts instead of scoring each. `tasks` are
    rows of `best_metrics` for all metrics. `against` are the metrics to compare with. `notice` says
    that the card shows the published results, because there is no warehouse.
    """

    metric: str
    corpus: str | None
    facts: list[Row]
    worst_pairs: list[Row]
    lattices_from: str | None = None
    preferences: Sequence[Row] = ()
    tasks: Sequence[Row] = ()
    against: Sequence[str] = ()
    notice: str | None = None
    published: Published | None = None

    def of(self, section: str) -> list[Row]:
        """Return the metric's own facts of a section."""
        return [
            row for row in self.facts if row["section"] == section and row["metric"] == self.metric
        ]

    def chance(self, section: str) -> list[Row]:
        """Return the results by chance in a section, such as those of random scores."""
        rows = [
            row
            for row in self.facts
            if row["section"] == section and row["metric"].startswith(CHANCE)
        ]
        return sorted(rows, key=lambda row: str(row["metric"]))

    def as_record(self) -> dict[str, Any]:
        """Return the card as plain values for JSON."""
        record = vars(self) | {
            "tasks": [row for row in self.tasks if row["metric"] in (self.metric, *self.against)],
            "published": self.published and vars(self.published),
        }
        del record["against"]
        return record


def read_card(
    warehouse: Warehouse, metric: str, corpus: str | None, against: Sequence[str] = ()
) -> Card:
    """Return the card of a metric; from the published results if the warehouse has no marts.

    Defaults: the largest corpus on which the metric competes with others; compared with the best
    metric and the most used one.

    Raises:
        UnknownError: the metric, or its scores on the corpus, are not in the published marts.
        WarehouseError: the marts cannot be opened.

    """
    with open_marts_or_results(warehouse) as (connection, notice):
        return replace(card_of(connection, metric, corpus, against), notice=notice)


def card_of(
    connection: duckdb.DuckDBPyConnection,
    metric: str,
    corpus: str | None,
    against: Sequence[str] = (),
) -> Card:
    """Return the card from marts that are open; raise UnknownError as `read_card` does."""
    rows = connection.execute(
        "select distinct metric from metric_cards where not starts_with(metric, $1)", [CHANCE]
    ).fetchall()
    metrics = [name for (name,) in rows]
    for name in (metric, *against):
        if name not in metrics:
            raise UnknownError(unknown("metric", name, metrics))
    lattices = dict(
        connection.execute(
            "select corpus, any_value(lattices_from) "
            "from metric_cards inner join corpora using (corpus) "
            "where metric = $1 and section = 'sentence' "
            "group by corpus order by any_value(n_sentences) desc, corpus",
            [metric],
        ).fetchall()
    )
    corpora = list(lattices)
    if corpus is not None and corpus not in corpora:
        reason = _why_unscored(connection, metric, corpus)
        kind = f"corpus with chains that {metric} scored"
        raise UnknownError(reason or unknown(kind, corpus, corpora))
    tasks = _rows(connection, _TASKS)
    competes = {
        row["corpus"] for row in tasks if row["metric"] == metric and row["too_few"] is None
    }
    corpora.sort(key=lambda name: name not in competes)
    chosen = corpus or (corpora[0] if corpora else None)
    facts = _rows(
        connection,
        "select * from metric_cards where (metric = $metric or starts_with(metric, $chance)) "
        "and (corpus is null or corpus is not distinct from $corpus "
        "or section = 'system') "
        "order by section, corpus nulls first, condition desc, value desc, item, measure, "
        "metric, reference_set",
        metric=metric,
        chance=CHANCE,
        corpus=chosen,
    )
    preferences = _rows(
        connection,
        "select * from step_preferences where metric = $metric and error_type is null "
        "and position_bias is not null order by corpus",
        metric=metric,
    )
    tasks = [row for row in tasks if row["corpus"] == chosen or row["judgment_set"] is not None]
    return Card(
        metric,
        chosen,
        facts,
        _rows(connection, _WORST_PAIRS, metric=metric, corpus=chosen),
        lattices.get(chosen),
        preferences,
        tasks,
        [name for name in against if name != metric] or _usual(tasks, metric),
        published=read_published(connection, tasks, metric),
    )


def _usual(tasks: Sequence[Row], metric: str) -> list[str]:
    """Return the best other metric at the first task, and the most used other metric."""
    other_rows = [row for row in tasks if row["metric"] != metric]
    first = [
        (row["best_share"], row["estimate"], row["metric"])
        for row in other_rows
        if row["level"] == tasks[0]["level"] and row["best_share"] is not None
    ]
    best = [max(first)[2]] if first else []
    scored = {row["metric"] for row in other_rows}
    used = [name for name in MOST_USED if name in scored and name not in best]
    return [*best, *used[:1]]


def _why_unscored(connection: duckdb.DuckDBPyConnection, metric: str, corpus: str) -> str | None:
    row = connection.execute(
        "select format('{} {}. Instead: {}.', metric, reason, remedy) from metric_availability "
        "where metric = $1 and corpus = $2 and not is_available",
        [metric, corpus],
    ).fetchone()
    return row[0] if row else None


def _rows(connection: duckdb.DuckDBPyConnection, sql: str, **values: str | None) -> list[Row]:
    return records(connection.execute(sql, values))
