"""Sentence scores in SQL: the formulas of the registry over stored statistics."""

from collections.abc import Mapping

from maege.analysis.metrics.scores.formula import Named, Sql
from maege.analysis.metrics.scores.score import Composite, FamilyScore, Score, ScoredElsewhere
from maege.analysis.stored.statistics import reads


def sentence_scores_query(
    metrics: Mapping[str, Score],
    signatures: Mapping[str, int],
    sources: Mapping[str, str] | None = None,
) -> str:
    """Return a query for pair_id, metric, direction, score and published_score.

    It reads `inputs` (scoring_inputs), `cached` (metric_statistics), `own` (own_pairs), `registry`
    (what is selected of metric_registry) and `empty_references`, the references_key of lists with
    an empty reference. published_score is the score of the published MAEGE run for the same pair.

    Args:
        metrics: the scores of those that the warehouse scores, by name.
        signatures: the signature key of every family that they read.
        sources: queries for the inputs, by name; the default looks them up.

    """
    steps: dict[str, str] = {}
    scored = [
        f"select pair_id, '{metric}' as metric, score, published_score "
        f"from {_step(metric, score, signatures, steps)}"
        for metric, score in metrics.items()
    ]
    # The score of a user metric is its only statistic, and some inputs may have none.
    scored.append(
        "select pair_id, metric, score, score as published_score from own where score is not null"
    )
    steps["scores"] = " union all ".join(scored)
    steps["directions"] = "select distinct metric, direction from registry"
    # Not materialised, because every formula reads other rows and columns of the cache.
    read = [f"{name} as not materialized ({query})" for name, query in (sources or {}).items()]
    named = ", ".join([*read, *(f"{name} as ({query})" for name, query in steps.items())])
    return (
        f"with {named} select pair_id, metric, direction, score, published_score "
        "from scores inner join directions using (metric)"
    )


def _step(name: str, score: Score, signatures: Mapping[str, int], steps: dict[str, str]) -> str:
    """Add a step that scores every pair, and return its name."""
    scored = f"scored_{name}"
    if scored in steps:
        return scored
    if isinstance(score, FamilyScore):
        cached = _cached(score, signatures[score.family.name], steps)
        steps[f"{scored}_inputs"] = _distinct_inputs(score, cached)
        steps[scored] = (
            "select inputs.pair_id, cached.score, cached.published_score from inputs "
            f"inner join {scored}_inputs as cached on {reads(score.family)}"
        )
    elif isinstance(score, ScoredElsewhere):
        steps[scored] = (
            "select pair_id, score, score as published_score from own "
            f"where metric = '{score.metric}' and score is not null"
        )
    elif isinstance(score, Composite):
        parts = {part: _step(part, of, signatures, steps) for part, of in score.parts.items()}
        first, *others = parts.values()
        combined = ", ".join(
            f"{score.combine({part: Sql(f'{step}.{column}') for part, step in parts.items()})} "
            f"as {column}"
            for column in ("score", "published_score")
        )
        joins = " ".join(f"inner join {other} using (pair_id)" for other in others)
        steps[scored] = f"select pair_id, {combined} from {first} {joins}"
    else:
        raise TypeError(f"{name} is a {type(score).__name__}; expected a family's or a composite")
    return scored


def _cached(score: FamilyScore, signature: int, steps: dict[str, str]) -> str:
    """Return a query for the rows of the score's family, or for its ingredients if it has some.

    Ingredients are a list `made` with an entry for each reference. Their step is shared by all
    scores with the same ingredients.
    """
    of_family = f"select * from cached where signature_key = {signature}"
    names = _names(score)
    ingredients = score.ingredients(names)
    if ingredients is names:
        return of_family
    made = ", ".join(f"{name}: {made_of}" for name, made_of in ingredients.items())
    query = (
        "select source_text_id, hypothesis_text_id, references_key, "
        f"list_transform({_references(score)}, lambda reference: {{{made}}}) as made "
        f"from ({of_family})"
    )
    name = next((name for name, step in steps.items() if step == query), f"made_{len(steps)}")
    steps[name] = query
    return f"select * from {name}"


def _distinct_inputs(score: FamilyScore, cached: str) -> str:
    """Return a query for the scores of distinct inputs, before they are joined with pairs."""
    names = _names(score)
    ingredients = score.ingredients(names)
    if ingredients is not names:
        formula = score.sentence_score({name: Sql(f"reference.{name}") for name in ingredients})
        listed = "made"
    else:
        formula = score.sentence_score(names)
        listed = _references(score) if score.family.per_reference else ""
    if listed:
        scores = f"list_transform({listed}, lambda reference: {formula})"
        formula = f"{'list_max' if score.over_references == 'max' else 'list_avg'}({scores})"
    is_empty = Sql("(references_key in (from empty_references))")
    known = names if ingredients is names else {}
    published = score.published_score({**known, "has_empty_reference": is_empty}, Sql("score"))
    return (
        "select source_text_id, hypothesis_text_id, references_key, "
        f"{formula} as score, {published} as published_score from ({cached})"
    )


def _names(score: FamilyScore) -> Named:
    """Return the family's statistics by name, of the current reference if they depend on it."""
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
    is_nobody = f"isnan({_names(score)[family.statistics[0]]})"
    return f"list_filter({references}, lambda reference: not {is_nobody})"
