"""Corpus scores of outputs that are made by rule, by what scores those of real systems.

Over the sentences for which all real systems have a score: where a metric fails there is none.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.stored.rows import key_groups, rows_to_table
from maege.analysis.stored.statistics import score_matrix, selected_signatures, summed_statistics
from maege.analysis.system_scores import summed_families, system_scores

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "reference_set": pa.string(),
        "system": pa.string(),
        "metric": pa.string(),
        "corpus_score": pa.float64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per corpus, reference set, output and metric that scores it."""
    gleu_rng = dbt.config.meta_get("gleu_rng")
    outputs = dbt.ref("scored_units").filter("used_in = 'adversarial'")
    keys = outputs.select("pair_id, corpus, reference_set, system, sentence_id")
    # Corpus and sentence of a pair are those of one of its uses.
    read = dbt.ref("scoring_inputs").select("* exclude (corpus, sentence_id)")
    inputs = keys.join(read, "pair_id")
    scores = dbt.ref("sentence_scores")  # noqa: F841 (read by name in the query)
    real = dbt.ref("system_sentence_scores")  # noqa: F841
    statistics = summed_statistics(
        inputs,
        dbt.ref("metric_statistics"),
        selected_signatures(dbt.ref("metric_registry")),
        "true",
    )
    rows = session.sql(
        "with compared as (select distinct corpus, reference_set, metric, sentence_id from real), "
        "counted as (select corpus, reference_set, metric, count(*) as n from compared "
        "group by all) "
        "select corpus, reference_set, metric, system, "
        "list(score order by sentence_id) as scores from inputs "
        "inner join scores using (pair_id) "
        "inner join compared using (corpus, reference_set, metric, sentence_id) "
        "inner join counted using (corpus, reference_set, metric) "
        "group by corpus, reference_set, metric, system having count(*) = any_value(n) "
        "order by all"
    ).to_arrow_table()
    table = []
    for (corpus, reference_set, metric), of_metric in key_groups(rows, 3):
        outputs, values = score_matrix(of_metric)
        result = system_scores(
            metric,
            values,
            summed_families(metric, corpus, reference_set, statistics),
            # One sample: the corpus as it is.
            np.ones((1, values.shape[1])),
            gleu_rng,
        )
        table += [
            (corpus, reference_set, system, metric, score)
            for system, score in zip(outputs, result.score, strict=True)
        ]
    return rows_to_table(table, SCHEMA)
