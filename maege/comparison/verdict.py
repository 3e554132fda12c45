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
    if len(result.systems) == 2:
        sentences = [_compare_two(pair, result.signature.beta) for pair in result.comparisons]
    else:
        sentences = [*filter(None, (_compare_many(result, metric) for metric in result.metrics))]
    n_untested = sum(pair.mark == "untested" for pair in result.comparisons)
    if n_untested:
        sentences.append(f"The difference{' was' if n_untested == 1 else 's were'} not tested.")
    return [
        *sentences,
        *_disagreement(result),
        *_annotators(result),
        *_smallest_difference(result),
    ]


def _compare_two(comparison: Comparison, beta: float) -> str:
    a, b, difference = comparison.a, comparison.b, comparison.difference
    by = f"By {metric_name(comparison.metric, beta)}"
    higher, lower = (b, a) if difference >= 0 else (a, b)
    size = format_signed(abs(difference))
    if comparison.ci is not None:
        low, high = sorted(-bound if difference < 0 else bound for bound in comparison.ci)
        size += f", 95 % CI {format_signed(low)} to {format_signed(high)}"
    if comparison.p_holm is not None:
        size += f", {p_equals(comparison.p_holm)}"
    if comparison.mark == "same_outputs":
        return f"{by} there is no difference: {a} and {b} have the same outputs."
    if comparison.mark == "equal":
        return f"{by} {higher} and {lower} are statistically tied ({size})."
    if comparison.mark == "untested":
        if not difference:
            return f"{by} {a} and {b} have the same score."
        return f"{by} {higher} scores higher than {lower} ({size})."
    return f"{by} {higher} is better than {lower} ({size})."


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
    tied_names.sort(key=lambda name: -scores[name].value)
    verb = "is" if len(tied_names) == 1 else "are"
    return f"{leads}; {in_a_sentence(tied_names)} {verb} statistically tied with it."


def _disagreement(result: Result) -> Iterator[str]:
    if len(result.systems) == 2:
        a, b = (system.name for system in result.systems)
        better, worse = (
            [
                metric_name(pair.metric, result.signature.beta)
                for pair in result.comparisons
                if pair.mark == mark
            ]
            for mark in ("better", "worse")
        )
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
