"""Tied pairs that the published run counted as discordant, because its sort was not stable.

The run handed an argsort of the scores to its pair counting, so that a tie counted for or against a
metric by the order in which the sort left it. Up to 17 elements that sort was stable: only the few
longer chains differ from counting every tie as agreement.
"""

from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa

from maege.analysis.statistics.pair_agreement import (
    LONGEST_STABLE_SORT,
    pair_counts,
    published_discordant,
)
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "experiment": pa.string(),
        "metric": pa.string(),
        "discordant_ties": pa.int64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per corpus, experiment and metric of a published run."""
    scores = dbt.ref("chain_scores")  # noqa: F841 (read by name in the query)
    published = dbt.source("raw", "lattices").filter("is_published_run")  # noqa: F841
    rows = session.sql(
        "with long as (select experiment, metric, chain_id from scores "
        f"semi join published using (corpus) group by all having count(*) > {LONGEST_STABLE_SORT}) "
        "select corpus, experiment, metric, chain_id, list(score order by position) from scores "
        "semi join long using (experiment, metric, chain_id) group by all order by all"
    ).fetchall()
    table = [
        {
            **dict(zip(SCHEMA.names, key, strict=False)),
            "discordant_ties": sum(
                published_discordant(chain) - pair_counts(chain).discordant
                for *_, chain in of_metric
            ),
        }
        for key, of_metric in groupby(rows, key=itemgetter(0, 1, 2))
    ]
    return rows_to_table(table, SCHEMA)
