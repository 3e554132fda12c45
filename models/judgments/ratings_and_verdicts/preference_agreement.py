"""How often metrics prefer the output of a pair that the judge preferred, by tie rule."""

from collections import defaultdict
from typing import Any

import pyarrow as pa

from maege.analysis.judgments.rated import Preference, preference_rows
from maege.analysis.rankings.judged import CHANCE
from maege.analysis.stored.judgments.judged_scores import scores_of_outputs
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        **dict.fromkeys(
            (
                *("judgment_set", "task", "aspect", "unit"),
                *("corpus", "reference_set", "tie_rule", "metric"),
            ),
            pa.string(),
        ),
        **dict.fromkeys(
            (
                *("n_sentences", "n_pairs", "n_concordant", "n_discordant", "n_tied"),
                *("n_tied_by_judge", "n_tied_by_both", "n_resamples"),
            ),
            pa.int32(),
        ),
        **dict.fromkeys(
            (
                *("accuracy", "ci_low", "ci_high", "kendall", "epsilon", "ceiling"),
                *("chance_median", "chance_low", "chance_high", "chance_p_value"),
            ),
            pa.float64(),
        ),
        "too_few": pa.string(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per task, aspect, tie rule, reference set and metric or chance baseline.

    An output that is a reference is not compared with references.
    """
    chosen = (
        int(dbt.config.meta_get("bootstrap_samples")),
        float(dbt.config.meta_get("confidence_level")),
        int(dbt.config.meta_get("seed")),
    )
    references = set(
        dbt.ref("judged_outputs")
        .filter("is_named_reference or is_reference_text")
        .select("judgment_set, item, output_id")
        .fetchall()
    )
    preferences: dict[tuple[str, str, str | None], list[Preference]] = defaultdict(list)
    for name, task, aspect, *preference in (
        dbt.source("raw", "preference_pairs")
        .order("judgment_set, task, aspect, path, line")
        .select(
            "judgment_set, task, aspect, coalesce(judge, ''), item, output_a, output_b, preference"
        )
        .fetchall()
    ):
        preferences[name, task, aspect].append(Preference(*preference))
    scores = scores_of_outputs(dbt.ref("judged_scores"))
    rows: list[dict[str, Any]] = []
    for (name, task, aspect), of_aspect in preferences.items():
        compared: dict[str | None, dict[tuple[str, str], dict[tuple[str, int], float]]]
        compared = defaultdict(dict)
        for (corpus, reference_set, metric), by_output in scores[name].items():
            kept = {
                output: score
                for output, score in by_output.items()
                if reference_set is None or (name, *output) not in references
            }
            if kept:
                compared[corpus][reference_set or CHANCE, metric] = kept
        for corpus, of_corpus in compared.items():
            key = {"judgment_set": name, "task": task, "aspect": aspect, "corpus": corpus}
            rows += [key | row for row in preference_rows(of_aspect, of_corpus, *chosen)]
    return rows_to_table(rows, SCHEMA)
