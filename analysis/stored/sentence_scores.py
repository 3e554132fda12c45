"""Sentence scores in SQL: the formulas of the registry over stored statistics."""

from collections.abc import Mapping

from maege.analysis.metrics.families import Family
from maege.analysis.metrics.formula import Named, Sql
from maege.analysis.metrics.scores import Composite, FamilyScore, Score, ScoredElsewhere


def reads(family: Family) -> str:
    """Return the condition that joins `cached` to the family's inputs (macros/keys)."""
    return " and ".join(
        f"cached.{key} = {f'inputs.{read}' if read else '0'}"
        for key, read in keys_read(family).items()
    )


def keys_read(family: Family) -> dict[str, str | None]:
    """Return the column of scoring inputs for each key of the cache; None for a constant 0."""
    choices = {
        "weighed_gold_key": family.reads_outputs,
        "typed_gold_key": family.reads_types,
        "gold_key": family.reads_gold,
        "references_key": family.reads_references,
    }
    references = next((name for name, is_read in choices.items() if is_read), None)
    return {
        "hypothesis_text_id": "edits_key" if family.reads_edits else "hypothesis_text_id",
        "source_text_id": "source_text_id" if family.reads_source else None,
        "references_key": references,
    }


def sentence_scores_query(
    metrics: Mapping[str, Score],
    signatures: Mapping[str, int],
    sources: Mapping[str, str] | None = None,
) -> str:
    """Return a query for pair_id, metric, direction, score and published_score.

    It reads `inputs` (scoring_inputs), `cached` (metric_statistics), `own` (own_pairs), `registry`
    (what is selected of metric_registry) and `empty_references`, the references_key of lists with
    an empty reference. published_score is the score of the published MAEGE run.
    """
    steps: dict[str, str] = {}
    score_queries = [
        f"select pair_id, '{metric}' as metric, score, published_score "
        f"from {_step(metric, score, signatures, steps)}"
        for metric, score in metrics.items()
    ]
    # The score of a user metric is its only statistic, and some inputs may have none.
    score_queries.append(
        "select pair_id, metric, score, score as published_score from own where score is not null"
    )
    steps["scores"] = " union all ".join(score_queries)
    steps["directions"] = "select distinct metric, direction from registry"
    # Not materialised, because every formula reads other rows and columns of the cache.
    read = [f"{name} as not materialized ({query})" for name, query in (sources or {}).items()]
    step_queries = ", ".join([*read, *(f"{name} as ({query})" for name, query in steps.items())])
    return (
        f"with {step_queries} select pair_id, metric, direction, score, published_score "
        "from scores inner join directions using (metric)"
    )


def _step(name: str, score: Score, signatures: Mapping[str, int], steps: dict[str, str]) -> str:
    scored_step = f"scored_{name}"
    if scored_step in steps:
        return scored_step
    if isinstance(score, FamilyScore):
        cached = _cached(score, signatures[score.family.name], steps)
        steps[f"{scored_step}_inputs"] = _distinct_inputs(score, cached)
        steps[scored_step] = (
            "select inputs.pair_id, cached.score, cached.published_score from inputs "
            f"inner join {scored_step}_inputs as cached on {reads(score.family)}"
        )
    elif isinstance(score, ScoredElsewhere):
        steps[scored_step] = (
            "select pair_id, score, score as published_score from own "
            f"where metric = '{score.metric}' and score is not null"
        )
    elif isinstance(score, Composite):
        parts = {
            part: _step(part, part_score, signatures, steps)
            for part, part_score in score.parts.items()
        }
        first, *other_parts = parts.values()
        combined = ", ".join(
            f"{score.combine({part: Sql(f'{step}.{column}') for part, step in parts.items()})} "
            f"as {column}"
            for column in ("score", "published_score")
        )
        joins = " ".join(f"inner join {part_step} using (pair_id)" for part_step in other_parts)
        steps[scored_step] = f"select pair_id, {combined} from {first} {joins}"
    else:
        raise TypeError(f"{name} is a {type(score).__name__}; expected a family's or a composite")
    return scored_step


def _cached(score: FamilyScore, signature: int, steps: dict[str, str]) -> str:
    """Return a query for the family's rows, or for a list of ingredients by reference."""
    family_rows = f"select * from cached where signature_key = {signature}"
    names = _names(score)
    ingredients = score.ingredients(names)
    if ingredients is names:
        return family_rows
    fields = ", ".join(f"{name}: {sql}" for name, sql in ingredients.items())
    query = (
        "select source_text_id, hypothesis_text_id, references_key, "
        f"list_transform({_references(score)}, lambda reference: {{{fields}}}) as ingredients "
        f"from ({family_rows})"
    )
    name = next((name for name, step in steps.items() if step == query), f"step_{len(steps)}")
    steps[name] = query
    return f"select * from {name}"


def _distinct_inputs(score: FamilyScore, cached: str) -> str:
    names = _names(score)
    ingredients = score.ingredients(names)
    if ingredients is not names:
        formula = score.sentence_score({name: Sql(f"reference.{name}") for name in ingredients})
        listed = "ingredients"
    else:
        formula = score.sentence_score(names)
        listed = _references(score) if score.family.per_reference else ""
    if listed:
        scores = f"list_transform({listed}, lambda reference: {formula})"
        formula = f"{'list_max' if score.over_references == 'max' else 'list_avg'}({scores})"
    is_empty = Sql("(references_key in (from empty_references))")
    known_columns = names if ingredients is names else {}
    published = score.published_score(
        {**known_columns, "has_empty_reference": is_empty}, Sql("score")
    )
    return (
        "select source_text_id, hypothesis_text_id, references_key, "
        f"{formula} as score, {published} as published_score from ({cached})"
    )


def _names(score: FamilyScore) -> Named:
    place = "reference" if score.family.per_reference else "0"
    width = len(score.family.statistics)
    return {
        name: Sql(f"statistics[{place} * {width} + {column}]")
        for column, name in enumerate(score.family.statistics, start=1)
    }


def _references(score: FamilyScore) -> str:
    """Return the positions of existing references, 0 if statistics do not depend on them."""
    family = score.family
    if not family.per_reference:
        return "[0]"
    references = f"range(len(statistics) // {len(family.statistics)})"
    is_missing = f"isnan({_names(score)[family.statistics[0]]})"
    return f"list_filter({references}, lambda reference: not {is_missing})"
