"""Agreement of judges with each other and with themselves about pairs of outputs."""

from typing import Any

from maege.analysis.rankings.human_scores import kappa_rows
from maege.analysis.stored.rows import contract_schema, key_groups, rows_to_table

# Systems with equal outputs share one cell of the item, because the judge saw the output once.
PAIRS = """
    with cells as (
        select
            corpus, judgment_set, judge, item, sentence_id, min(rank) as rank,
            string_agg(system, ' ' order by system) as output
        from judgments
        group by corpus, judgment_set, judge, item, sentence_id, cell
    )
    select
        corpus, judgment_set, judge,
        concat_ws(' / ', cells_a.sentence_id, cells_a.output, cells_b.output) as output_pair,
        sign(cells_b.rank - cells_a.rank)::tinyint as preference
    from cells as cells_a inner join cells as cells_b using (corpus, judgment_set, judge, item)
    where cells_a.output < cells_b.output
    order by corpus, judgment_set, judge, item
"""


def model(dbt: Any, session: Any) -> Any:
    judgments = dbt.ref("usable_judgments")  # noqa: F841 (read by name in the query)
    pairs = session.sql(PAIRS).to_arrow_table()
    rows = [
        (*key, *row)
        for key, set_pairs in key_groups(pairs, 2)
        for row in kappa_rows(
            set_pairs["judge"].to_pylist(),
            set_pairs["output_pair"].to_pylist(),
            set_pairs["preference"].to_numpy(),
        )
    ]
    return rows_to_table(rows, contract_schema(dbt))
