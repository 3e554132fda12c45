"""The metrics that this warehouse computes, and the families of statistics they read.

The variable `metrics` selects built-in metrics, `replication` those that papers scored, and
`maege languagetool enable` those of LanguageTool. Metrics of metrics.yml are always selected. Each
is a family with the score as its only statistic; language models have the statistics of `fluency`.
"""

from dataclasses import replace
from typing import Any, NamedTuple

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
from maege.analysis.stored.rows import rows_to_table, table_schema
from maege.analysis.stored.statistics import signature_key
from maege.analysis.texts import content_key

# Families whose statistics come from a trained model: a language model, or features of GUG.
MODEL_FAMILIES = {"fluency", "gug_features"}
READS = (
    *("reads_source", "reads_references", "reads_gold", "reads_edits", "reads_types"),
    "reads_outputs",
)
# Scores are multiplied by `direction`, so that larger is better. `languages` are BCP 47 tags, NULL
# for any language; `other_languages` says what to do about a corpus in another one. `scored_by` is
# warehouse or languagetool, for user metrics function, class or file. `scored_elsewhere` has the
# metrics that are parts of it and scored elsewhere. With `reads_other` it compares two texts.
# `n_draws` and `sample_sentences` are numbers of scored draws of the sampled corpora and of scored
# sentences of each corpus, NULL for all; `scope` says in English which inputs are scored.
SCHEMA = table_schema(
    "place integer, metric varchar, version varchar, signature varchar, inputs varchar, "
    "higher_is_better boolean, direction integer, reference_based boolean, needs_model boolean, "
    "source varchar, languages varchar[], other_languages varchar, scored_by varchar, "
    "scored_elsewhere varchar[], reason varchar, remedy varchar, family varchar, "
    "family_signature varchar, signature_key bigint, reads_source boolean, "
    "reads_hypothesis boolean, reads_references boolean, reads_gold boolean, reads_edits boolean, "
    "reads_types boolean, reads_outputs boolean, reads_other boolean, cost integer, "
    "n_draws integer, sample_sentences bigint, scope varchar, per_reference boolean, "
    "statistics varchar[], is_selected boolean"
)


class Draws(NamedTuple):
    """Number of draws of sampled corpora, and of those that edit-based metrics score."""

    edit_metrics: int
    all: int

    def first(self, declared: int | None = None) -> int:
        return min(declared or self.edit_metrics, self.all)


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    selected = list(dbt.settings.metrics)
    if dbt.settings.replication:
        selected += dbt.settings.replicated_metrics
    draws = Draws(dbt.settings.edit_metric_draws, dbt.settings.corpus_draws)
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
    for name in (*(family.metric for family in user_families), *by_model):
        if name in built_in:
            raise ValueError(f"metrics.yml: found {name}, a built-in metric; give it another name")
    rows = [
        _built_in(metric, family, selected, draws)
        for metric in metrics_with(dbt.settings.referenceless_weights, gug).values()
        for family in metric.score.families
    ]
    rows += [
        _grammar(metric, metric.name in selected, draws) for metric in GRAMMAR_METRICS.values()
    ]
    rows += [_own(family, draws) for family in user_families]
    rows += [_by_model(metric, draws) for metric in by_model.values()]
    places = [*dict.fromkeys(row["metric"] for row in rows)]
    return rows_to_table([row | {"place": places.index(row["metric"])} for row in rows], SCHEMA)


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
    return {
        "metric": metric,
        "version": "1",
        **dict(zip(("signature", "family_signature", "signature_key"), signatures, strict=True)),
        "higher_is_better": higher_is_better,
        "direction": 1 if higher_is_better else -1,
        "needs_model": False,
        "scored_elsewhere": [],
        "reason": missing.reason if missing else None,
        "remedy": missing.remedy if missing else None,
        "family": family,
        "reads_hypothesis": True,
        **dict.fromkeys(("reference_based", "per_reference", "reads_other", *READS), False),
        **columns,
    }


def _built_in(metric: Metric, family: Family, selected: list[str], draws: Draws) -> dict[str, Any]:
    missing = metric.missing or _missing_part(metric, selected)
    parts = [GRAMMAR_METRICS[part] for part in metric.scored_elsewhere]
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
        languages=_listed(common([metric.languages, *(part.languages for part in parts)])),
        other_languages=metric.other_languages or None,
        scored_by="warehouse",
        scored_elsewhere=list(metric.scored_elsewhere),
        **{name: getattr(family, name) for name in (*READS, "cost", "per_reference", "statistics")},
        n_draws=draws.first() if family.reads_gold or metric.scored_elsewhere else None,
        is_selected=metric.name in selected and missing is None,
    )


def _by_model(metric: Metric, draws: Draws) -> dict[str, Any]:
    (family,) = metric.score.families
    assert isinstance(family, ModelFluency)  # noqa: S101
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
