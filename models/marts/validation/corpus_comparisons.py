"""Metrics on the lattices of each corpus, in numbers that can be compared across corpora."""

from functools import cache, partial
from typing import Any

from maege.analysis.lattices import STRATA, metric_on_corpus
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.resampling import cluster_weights
from maege.analysis.stored.lattices import MetricSums, metric_sums, shown_lattices
from maege.analysis.stored.rows import contract_schema, rows_to_table

# With fewer sentences, not even the order of metrics is stable.
LEAST_SENTENCES = 50


def model(dbt: Any, session: Any) -> Any:
    level, coverage = dbt.settings.confidence_level, dbt.settings.least_pair_coverage
    edits = session.sql(
        f"""
        select edits.*
        from ({dbt.ref("annotated_edits").sql_query()}) as edits
        inner join ({dbt.source("raw", "lattices").sql_query()}) as lattices
            on
                edits.corpus = lattices.corpus
                and edits.annotation_set = lattices.annotation_set
        where edits.kind = 'correction'
        """
    )
    lattices = shown_lattices(dbt.ref("compared_lattices"), dbt.ref("compared_references"), edits)
    registry = dbt.ref("metric_registry")
    of_first_draws = registry.filter("n_draws is not null").select("metric").fetchall()
    first_alone = [metric for (metric,) in of_first_draws]
    scores = session.sql(
        f"""
        select
            pairs.corpus,
            pairs.references_mode,
            scores.metric,
            pairs.annotation_id,
            pairs.mask,
            coalesce(pairs.corrupted_edit, -1) as corrupted_edit,
            scores.direction * scores.score as score
        from ({dbt.ref("scored_units").sql_query()}) as pairs
        inner join ({dbt.ref("scores_and_chance").sql_query()}) as scores
            on pairs.pair_id = scores.pair_id
        where pairs.used_in = 'compared_lattice'
        """
    )

    weights = cache(
        partial(cluster_weights, n_samples=dbt.settings.bootstrap_samples, seed=dbt.settings.seed)
    )
    languages = dict(dbt.source("raw", "corpora").select("corpus, language").fetchall())
    reference_based = registry.filter("reference_based").select("metric").fetchall()
    rows = []
    for metric_counts in metric_sums(scores, lattices, first_alone):
        n_sentences = metric_counts.sums.chains.shape[-1]
        if (
            n_sentences >= LEAST_SENTENCES
            and len(metric_counts.lattices) >= coverage * metric_counts.n_asked
        ):
            is_self_referenced = (
                metric_counts.references_mode == "own"
                and (metric_counts.metric,) in reference_based
            )
            labels = {
                "language": languages[metric_counts.corpus],
                "label": "self-referenced" if is_self_referenced else None,
            }
            rows.append(labels | _row(metric_counts, weights(n_sentences), level))
    return rows_to_table(rows, contract_schema(dbt))


def _row(counts: MetricSums, weights: SampleWeights, level: float) -> dict[str, Any]:
    results = metric_on_corpus(counts.sums, weights, level)
    n_edits = sum(len(lattice.strata) for lattice in counts.lattices)
    row: dict[str, Any] = {
        "corpus": counts.corpus,
        "references_mode": counts.references_mode,
        "metric": counts.metric,
        "n_sentences": counts.sums.chains.shape[-1],
        "n_lattices": len(counts.lattices),
        "n_edits": n_edits,
        "n_corrupted": int(counts.sums.corrupted.sum()),
        "identical_share": sum(lattice.is_identical for lattice in counts.lattices)
        / len(counts.lattices),
    }
    for name, estimate in (
        ("tau", results.tau),
        ("standardised_tau", results.standardised_tau),
        ("over_corrupted", results.over_corrupted_all),
    ):
        row[name] = estimate.value
        row[f"{name}_ci_low"], row[f"{name}_ci_high"] = estimate.low, estimate.high
    has_strata = results.n_steps.sum() > 0
    for name, n, tau, share in zip(
        STRATA, results.n_steps, results.tau_steps, results.over_corrupted, strict=False
    ):
        row[f"{name}_share"] = n / n_edits if has_strata else None
        row |= {f"{name}_tau": tau, f"{name}_over_corrupted": share}
    return row
