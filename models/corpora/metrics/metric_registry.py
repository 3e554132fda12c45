"""The metrics that this warehouse computes, and the families of statistics they read.

First the built-in ones, then those of metrics.yml. A metric of metrics.yml is a family of its own,
with the score as its only statistic. A language model of metrics.yml has the statistics of
`fluency`.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import pyarrow as pa

from maege.analysis.extraction.pipeline import Missing
from maege.analysis.metrics.families import Family, common
from maege.analysis.metrics.fluency import ModelFluency
from maege.analysis.metrics.gug import GugModel
from maege.analysis.metrics.languagetool import (
    COST,
    ENABLED_METRICS,
    GRAMMAR_METRICS,
    STATISTICS,
    GrammarMetric,
)
from maege.analysis.metrics.own.declared import declared_file, find_metrics_file
from maege.analysis.metrics.own.family import COST as OWN_COST
from maege.analysis.metrics.own.family import OwnFamily, model_metrics, own_families
from maege.analysis.metrics.registry import METRICS, Metric, metrics_with
from maege.analysis.options import nearest
from maege.analysis.stored.rows import rows_to_table
from maege.analysis.stored.statistics import signature_key
from maege.analysis.texts import content_key

# Families whose statistics come from a trained model: a language model, or features of GUG.
MODEL_FAMILIES = {"fluency", "gug_features"}
READS = (
    *("reads_source", "reads_references", "reads_gold", "reads_edits", "reads_types"),
    "reads_outputs",
)
SCHEMA = pa.schema(
    {
        "place": pa.int32(),
        "metric": pa.string(),
        "version": pa.string(),
        "signature": pa.string(),
        "inputs": pa.string(),
        "higher_is_better": pa.bool_(),
        # Scores are multiplied by this, so that larger is better.
        "direction": pa.int32(),
        "reference_based": pa.bool_(),
        "needs_model": pa.bool_(),
        "source": pa.string(),
        # BCP 47 tags, NULL for any language; and what to do about a corpus in another language.
        "languages": pa.list_(pa.string()),
        "other_languages": pa.string(),
        # warehouse or languagetool; for user metrics function, class or file.
        "scored_by": pa.string(),
        # Metrics that are parts of it and are scored elsewhere.
        "scored_elsewhere": pa.list_(pa.string()),
        "reason": pa.string(),
        "remedy": pa.string(),
        "family": pa.string(),
        "family_signature": pa.string(),
        "signature_key": pa.int64(),
        "reads_source": pa.bool_(),
        "reads_hypothesis": pa.bool_(),
        "reads_references": pa.bool_(),
        "reads_gold": pa.bool_(),
        "reads_edits": pa.bool_(),
        "reads_types": pa.bool_(),
        "reads_outputs": pa.bool_(),
        # It compares two texts instead of scoring one.
        "reads_other": pa.bool_(),
        "cost": pa.int32(),
        # Number of scored draws of the sampled corpora, NULL for all.
        "n_draws": pa.int32(),
        # Number of scored sentences of each corpus, NULL for all.
        "sample_sentences": pa.int64(),
        # The scored part of the requested inputs, in English; NULL for all.
        "scope": pa.string(),
        "per_reference": pa.bool_(),
        "statistics": pa.list_(pa.string()),
        "is_selected": pa.bool_(),
    }
)


class Draws(NamedTuple):
    """Number of draws of sampled corpora, and of those that edit-based metrics score."""

    edit_metrics: int
    all: int

    def first(self, declared: int | None = None) -> int:
        """Return the number of scored draws: the declared one, or that of edit-based metrics."""
        return min(declared or self.edit_metrics, self.all)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per metric and family; is_selected: it is requested and can run.

    The variable `metrics` selects built-in metrics, `replication` those that papers scored, and
    `maege languagetool enable` those of LanguageTool. All user metrics are selected.
    """
    selected = list(dbt.config.meta_get("metrics"))
    if dbt.config.meta_get("replication"):
        selected += dbt.config.meta_get("replicated_metrics")
    draws = Draws(
        int(dbt.config.meta_get("edit_metric_draws")), int(dbt.config.meta_get("corpus_draws"))
    )
    weights = dbt.config.meta_get("referenceless_weights")
    gug = GugModel.of(dict(dbt.source("gug", "grammaticality_coefficients").fetchall()))
    built_in = [*METRICS, *GRAMMAR_METRICS]
    if unknown := sorted(set(selected) - set(built_in)):
        raise ValueError(
            f"dbt_project.yml, variable metrics: found {', '.join(unknown)}; expected some of "
            f"{', '.join(built_in)}{nearest(unknown[0], built_in)}"
        )
    if declared_file(find_metrics_file()).languagetool:
        selected += ENABLED_METRICS
    # Training a model with LanguageTool's errors selects the metric that counts them.
    if gug is not None and gug.errors_by and "grammaticality_gug" in selected:
        selected.append(gug.errors_by)
    loaded = dbt.source("own", "metric_scores").aggregate(
        "metric, md5(string_agg(request_id || ' ' || score, ' ' order by request_id)) as content",
        "metric",
    )
    user_families, by_model = own_families(dict(loaded.fetchall())), model_metrics()
    _check_names([*(family.metric for family in user_families), *by_model])
    rows = [
        _built_in(metric, family, selected, draws)
        for metric in metrics_with(weights, gug).values()
        for family in metric.score.families
    ]
    rows += [
        _grammar(metric, metric.name in selected, draws) for metric in GRAMMAR_METRICS.values()
    ]
    rows += [_own(family, draws) for family in user_families]
    rows += [_by_model(metric, draws) for metric in by_model.values()]
    places = {
        name: place for place, name in enumerate(dict.fromkeys(row["metric"] for row in rows))
    }
    return rows_to_table([row | {"place": places[row["metric"]]} for row in rows], SCHEMA)


def _row(
    metric: str,
    family: str,
    signatures: tuple[str, str, int],
    missing: Missing | None,
    *,
    higher_is_better: bool = True,
    **columns: Any,
) -> dict[str, Any]:
    """Return a row; `signatures` are those of the metric and of the family, and the cache key."""
    signature, family_signature, key = signatures
    return {
        "metric": metric,
        "version": "1",
        "signature": signature,
        "higher_is_better": higher_is_better,
        "direction": 1 if higher_is_better else -1,
        "needs_model": False,
        "scored_elsewhere": [],
        "reason": missing.reason if missing else None,
        "remedy": missing.remedy if missing else None,
        "family": family,
        "family_signature": family_signature,
        "signature_key": key,
        "reads_hypothesis": True,
        **dict.fromkeys(("reference_based", "per_reference", "reads_other", *READS), False),
        **columns,
    }


def _built_in(metric: Metric, family: Family, selected: list[str], draws: Draws) -> dict[str, Any]:
    missing = metric.missing or _missing_part(metric, selected)
    return _row(
        metric.name,
        family.name,
        (metric.signature(), family.signature(), signature_key(family)),
        missing,
        version=metric.version,
        inputs=", ".join(metric.inputs),
        higher_is_better=metric.higher_is_better,
        reference_based=metric.reference_based,
        needs_model=any(
            isinstance(part_family, ModelFluency) or part_family.name in MODEL_FAMILIES
            for part_family in metric.score.families
        ),
        source=metric.source,
        languages=_listed(_languages(metric)),
        other_languages=metric.other_languages or None,
        scored_by="warehouse",
        scored_elsewhere=list(metric.scored_elsewhere),
        **{name: getattr(family, name) for name in (*READS, "cost", "per_reference", "statistics")},
        n_draws=draws.first() if family.reads_gold or metric.scored_elsewhere else None,
        is_selected=metric.name in selected and missing is None,
    )


def _by_model(metric: Metric, draws: Draws) -> dict[str, Any]:
    (family,) = metric.score.families
    assert isinstance(family, ModelFluency)  # noqa: S101 (it was made so)
    return _built_in(replace(metric, missing=family.missing()), family, [metric.name], draws)


def _missing_part(metric: Metric, selected: list[str]) -> Missing | None:
    for part in metric.scored_elsewhere:
        if part not in selected:
            return GRAMMAR_METRICS[part].unselected or Missing(
                f"the variable metrics leaves {part} out, which is a part of it",
                f"add {part} to the variable metrics in dbt_project.yml",
            )
        if missing := GRAMMAR_METRICS[part].missing:
            return missing
    return None


def _languages(metric: Metric) -> frozenset[str] | None:
    parts = (GRAMMAR_METRICS[part].languages for part in metric.scored_elsewhere)
    return common([metric.languages, *parts])


def _listed(languages: frozenset[str] | None) -> list[str] | None:
    return None if languages is None else sorted(languages)


def _grammar(metric: GrammarMetric, is_selected: bool, draws: Draws) -> dict[str, Any]:
    missing = metric.missing if is_selected else metric.unselected
    signature = metric.signature()
    return _row(
        metric.name,
        metric.name,
        (signature, signature, content_key(signature)),
        missing,
        inputs="hypothesis",
        source=metric.source,
        languages=_listed(metric.languages),
        other_languages=metric.other_languages,
        scored_by="languagetool",
        cost=COST,
        n_draws=draws.first(),
        statistics=STATISTICS,
        is_selected=is_selected and missing is None,
    )


def _own(family: OwnFamily, draws: Draws) -> dict[str, Any]:
    about, missing = family.definition, family.missing
    scored_by = "file" if about.by_file else "function" if about.function else "class"
    function = about.function or about.metric_class
    n_draws = None if about.asks_all_draws else draws.first(about.draws)
    signature = family.signature()
    return _row(
        family.metric,
        family.name,
        (signature, signature, content_key(signature)),
        missing,
        version=about.version,
        inputs=", ".join(about.inputs),
        higher_is_better=about.higher_is_better,
        reference_based="references" in about.inputs,
        source="scores made elsewhere" if about.by_file else f"{scored_by} {function}",
        languages=sorted(about.languages) or None,
        other_languages=f"metrics.yml has its languages, with the key languages of {family.metric}",
        scored_by=scored_by,
        reads_source="source" in about.inputs,
        reads_hypothesis="hypothesis" in about.inputs,
        # The other text is stored as a list with one reference.
        reads_references="references" in about.inputs or about.compares,
        reads_other=about.compares,
        cost=OWN_COST,
        n_draws=n_draws,
        sample_sentences=about.sample_sentences,
        scope=about.scope(n_draws, draws.all),
        statistics=["score"],
        is_selected=missing is None,
    )


def _check_names(names: list[str]) -> None:
    """Raise ValueError if the name of a metric of metrics.yml is taken."""
    for name in names:
        if name in METRICS or name in GRAMMAR_METRICS:
            raise ValueError(f"metrics.yml: found {name}, a built-in metric; give it another name")
