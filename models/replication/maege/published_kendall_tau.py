"""Kendall's tau of the published run, which counted some tied pairs as discordant.

The run handed an argsort of the scores to its pair counting, so that a tie counted for or against a
metric by the order in which the sort left it. Up to 17 elements that sort was stable.
"""

from itertools import groupby
from operator import itemgetter
from typing import Any

from maege.analysis.statistics.pair_agreement import (
    LONGEST_STABLE_SORT,
    pair_counts,
    published_discordant,
)
from maege.analysis.stored.rows import rows_to_table, table_schema

SCHEMA = table_schema(
    "corpus varchar, experiment varchar, metric varchar, discordant_ties bigint, kendall_tau double"
)


def model(dbt: Any, session: Any) -> Any:
    scores = dbt.ref("chain_scores")  # noqa: F841 (read by name in the query)
    correlations = dbt.ref("sentence_correlations")
    published = dbt.source("raw", "lattices").filter("is_published_run")  # noqa: F841
    rows = session.sql(
        "with long as (select experiment, metric, chain_id from scores "
        f"semi join published using (corpus) group by all having count(*) > {LONGEST_STABLE_SORT}) "
        "select corpus, experiment, metric, chain_id, list(score order by position) from scores "
        "semi join long using (experiment, metric, chain_id) group by all order by all"
    ).fetchall()
    ties = {
        key: sum(published_discordant(row[4]) - pair_counts(row[4]).discordant for row in chains)
        for key, chains in groupby(rows, key=itemgetter(0, 1, 2))
    }
    correlations = session.sql(
        "select corpus, experiment, metric, n_discordant, n_pairs from correlations "
        "semi join published using (corpus) order by all"
    ).fetchall()
    table = [
        (*key, ties.get(key, 0), 1 - 2 * (n_discordant + ties.get(key, 0)) / n_pairs)
        for *names, n_discordant, n_pairs in correlations
        for key in [tuple(names)]
        if n_pairs
    ]
    return rows_to_table(table, SCHEMA)
