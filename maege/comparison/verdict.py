"""The verdict of a comparison in plain sentences: which system is best, and how sure that is."""

from collections.abc import Iterator

from maege.analysis.compare.results import Comparison, Result
from maege.comparison.numbers import ERRANT, format_f, metric_name
from maege.names import in_a_sentence
from maege.numbers import format_number, format_signed, p_equals


def verdict(result: Result) -> list[str]:
    """Return the sentences, the first metric before the others; none for one system."""
    if len(result.systems) < 2:
        return []
    sentence_for = _compare_two if len(result.systems) == 2 else _compare_many
    sentences = [*filter(None, (sentence_for(result, metric) for metric in result.metrics))]
    untested = [pair for pair in result.comparisons if pair.mark == "untested"]
    if untested:
        single = len(untested) == 1
        sentences.append(f"The difference{' was' if single else 's were'} not tested.")
    return [
        *sentences,
        *_disagreement(result),
        *_annotators(result),
        *_smallest_difference(result),
    ]


def _compare_two(result: Result, metric: str) -> str | None:
    a, b = (system.name for system in result.systems)
    comparison = result.comparison(a, b, metric)
    if comparison is None or comparison.difference is None:
        return None
    by = f"By {metric_name(metric, result.signature.beta)}"
    higher, lower = (b, a) if comparison.difference >= 0 else (a, b)
    size = _size(comparison)
    if comparison.mark == "same_outputs":
        return f"{by} there is no difference: {a} and {b} have the same outputs."
    if comparison.mark == "equal":
        return f"{by} {higher} and {lower} are statistically tied ({size})."
    if comparison.mark == "untested":
        if not comparison.difference:
            return f"{by} {a} and {b} have the same score."
        return f"{by} {higher} scores higher than {lower} ({size})."
    return f"{by} {higher} is better than {lower} ({size})."


def _size(comparison: Comparison) -> str:
    sign = -1 if (comparison.difference or 0) < 0 else 1
    shown = format_signed(abs(comparison.difference or 0))
    if comparison.ci is not None:
        low, high = sorted(sign * bound for bound in comparison.ci)
        shown += f", 95 % CI {format_signed(low)} to {format_signed(high)}"
    if comparison.p_holm is not None:
        shown += f", {p_equals(comparison.p_holm)}"
    return shown


def _compare_many(result: Result, metric: str) -> str | None:
    scores = {system.name: system.scores[metric] for system in result.systems}
    best = [name for name, score in scores.items() if score.is_best]
    if not best:
        return None
    by = f"By {metric_name(metric, result.signature.beta)}"
    value = format_f(scores[best[0]].value)
    leads = f"{by} {in_a_sentence(best)} {'is' if len(best) == 1 else 'are'} best ({value})"
    tied_names = [name for name, score in scores.items() if name not in best and score.is_like_best]
    if all(score.is_like_best is None for score in scores.values()):
        return f"{leads}."
    if not tied_names:
        return f"{leads}, better than all others."
    tied_names.sort(key=lambda name: -(scores[name].value or 0))
    verb = "is" if len(tied_names) == 1 else "are"
    return f"{leads}; {in_a_sentence(tied_names)} {verb} statistically tied with it."


def _disagreement(result: Result) -> Iterator[str]:
    """Yield that metrics disagree: on the better of two systems, or on the best of many."""
    if len(result.systems) == 2:
        a, b = (system.name for system in result.systems)
        by_mark: dict[str, list[str]] = {"better": [], "worse": []}
        for metric in result.metrics:
            comparison = result.comparison(a, b, metric)
            if comparison is not None and comparison.mark in by_mark:
                by_mark[comparison.mark].append(metric_name(metric, result.signature.beta))
        better, worse = by_mark.values()
        if better and worse:
            yield (
                f"The metrics disagree: {b} is better by {in_a_sentence(better)}, {a} by "
                f"{in_a_sentence(worse)}."
            )
        return
    best = [
        {
            system.name
            for system in result.systems
            if system.scores[metric].is_best or system.scores[metric].is_like_best
        }
        for metric in result.metrics
    ]
    if all(best) and not set.intersection(*best):
        yield "The metrics disagree: no system is best or tied for best by all of them."


def _annotators(result: Result) -> Iterator[str]:
    """Yield that the sign of ERRANT's difference is not the same for all annotators."""
    depending = [pair for pair in result.comparisons if pair.depends_on_annotator]
    if len(result.systems) == 2 and depending:
        by = ", ".join(
            f"{format_signed(by.difference)} by annotator {by.id}"
            for by in depending[0].by_annotator[:10]
        )
        yield f"Which system is better depends on the annotator ({by})."
    elif depending:
        names = in_a_sentence([pair.b for pair in depending if pair.a == result.baseline.name])
        if names:
            yield (
                f"Whether {result.baseline.name} is better than {names} depends on the annotator."
            )


def _smallest_difference(result: Result) -> Iterator[str]:
    if result.smallest_difference is not None:
        name = metric_name(ERRANT, result.signature.beta)
        smallest = format_number(result.smallest_difference, 3)
        yield (
            f"The smallest {name} difference that a test can detect with "
            f"{result.gold.sentences:,} sentences is about {smallest}."
        )
