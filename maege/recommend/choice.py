"""Choose the metric to use for a task, a language and the references at hand, with its limits."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from maege.cards.parts import read_sentences
from maege.names import in_a_sentence
from maege.numbers import format_interval, format_number, format_share, format_signed, p_equals
from maege.recommend.evidence import (
    ALPHA,
    EDIT_BASED,
    HUMAN_KINDS,
    KINDS,
    USES,
    Evidence,
    References,
    Results,
    UseName,
    by_data_set,
)

# How ties are found, the weakest evidence first: overlapping intervals are no test.
BASES = OVERLAP, BEST_SET, TEST = "overlapping intervals", "confidence set", "test"
# If more than this share of the metrics are tied for best, the data separate hardly any.
MOST_TIED = 0.5
# Below these numbers of systems, and of sentences or outputs, a limit says that data are few.
FEW_SYSTEMS, FEW_UNITS = 20, 100
OPTIMISED = "A system that is optimised for"


@dataclass(frozen=True)
class Tie:
    """A metric that is tied with the recommended one on `n_tied` of the data sets with both.

    `basis` is one of `BASES`.
    """

    metric: str
    n_tied: int
    n_compared: int
    basis: str
    details: tuple[str, ...] = ()

    @property
    def is_on_most(self) -> bool:
        """Whether the metrics are tied on more than half of the data sets with both."""
        return 2 * self.n_tied > self.n_compared


@dataclass
class Recommendation:
    """The metric for a task and a language, None if no metric has valid evidence.

    `elsewhere` has the recommendations in other languages then.
    """

    task: UseName
    language: str
    references: References
    metric: str | None = None
    verdict: list[str] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    elsewhere: list["Recommendation"] = field(default_factory=list)


def recommend(
    results: Results, task: UseName, language: str = "en", references: References = "m2"
) -> Recommendation:
    """Return the recommendation for a task, a language and the references at hand."""
    recommendation = _recommend_in_language(results, task, language, references)
    if recommendation.metric is None:
        _look_elsewhere(results, recommendation)
    return recommendation


def _recommend_in_language(
    results: Results,
    task: UseName,
    language: str,
    references: References,
    without: Collection[str] = (),
) -> Recommendation:
    recommendation = Recommendation(task, language, references)
    usable = set(results.usable(references)) - {*without}
    language_evidence = [row for row in results.evidence if _is_in(row.language, language)]
    for kind in USES[task].kinds:
        groups = by_data_set([row for row in language_evidence if row.kind == kind])
        candidates = {
            key: [row for row in rows if row.metric in usable] for key, rows in groups.items()
        }
        best = best_by_data_set(results, candidates)
        metric = favourite(results, candidates)
        if metric is not None:
            recommendation.metric = metric
            recommendation.evidence = [
                row for key in best for row in candidates[key] if row.metric == metric
            ]
            recommendation.ties = _ties(results, candidates, metric)
            recommendation.verdict = _verdict(recommendation, candidates, best)
            recommendation.limits = _limits(
                recommendation, results, language_evidence, groups, best
            )
            break
    return recommendation


def _is_in(tag: str, other_tag: str) -> bool:
    """Whether two tags are of one language: `zh` and `zh-Hans`."""
    return tag.partition("-")[0] == other_tag.partition("-")[0]


def best_on(results: Results, rows: Sequence[Evidence]) -> list[str]:
    """Return which metrics could be the best on a data set; none if none is better than chance.

    These are the members of the model confidence set. Without one, or if it has none of the
    metrics, they are the metrics that are tied with the highest estimate.
    """
    good = sorted((row for row in rows if row.against_chance > 0), key=lambda row: -row.estimate)
    in_set = [row.metric for row in good if row.in_best_set]
    if in_set or not good:
        return in_set
    first = good[0]
    return [row.metric for row in good if row is first or _tied(results, first, row)[0]]


def _tied(results: Results, row: Evidence, other: Evidence) -> tuple[bool, str, str]:
    """Return whether two metrics are tied on a data set, how this is known, and the numbers."""
    test = results.tests.get((row.kind, row.data_set, other.metric, row.metric))
    # The tests are about the lattices and systems of best_metrics, and about no other evidence.
    if test and row.mart == "best_metrics":
        signed = partial(format_signed, decimals=2)
        interval = format_interval(test.ci_low, test.ci_high, signed)
        difference = f"{signed(test.difference)} {interval}".strip()
        shown = f"{row.data_set} {difference}, {p_equals(test.q_value, 'q')}"
        return test.q_value > ALPHA, TEST, shown
    shown = f"{other.data_set} {number(other)}"
    if row.in_best_set is not None and (row.in_best_set or other.in_best_set):
        return bool(row.in_best_set and other.in_best_set), BEST_SET, shown
    if row.ci_low is None or row.ci_high is None or other.ci_low is None or other.ci_high is None:
        return False, OVERLAP, shown
    return other.ci_high >= row.ci_low and row.ci_high >= other.ci_low, OVERLAP, shown


Groups = Mapping[tuple[str, str], Sequence[Evidence]]
Best = Mapping[tuple[str, str], Sequence[str]]


def best_by_data_set(results: Results, groups: Groups) -> dict[tuple[str, str], list[str]]:
    """Return which metrics could be the best, for each data set with a useful metric."""
    return {key: metrics for key, rows in groups.items() if (metrics := best_on(results, rows))}


def favourite(results: Results, groups: Groups) -> str | None:
    """Return the metric that could be the best on most data sets, of these the best ranked one."""
    best = best_by_data_set(results, groups)
    names = {name for metrics in best.values() for name in metrics}
    if not names:
        return None
    worst = 1 + max(len(rows) for rows in groups.values())

    def order(name: str) -> tuple[int, int, str]:
        ranks = []
        for key in best:
            estimates = {row.metric: row.estimate for row in groups[key]}
            n_higher = sum(value > estimates.get(name, value) for value in estimates.values())
            ranks.append(n_higher if name in estimates else worst)
        return -sum(name in metrics for metrics in best.values()), sum(ranks), name

    return min(names, key=order)


def _ties(results: Results, groups: Groups, metric: str) -> list[Tie]:
    comparisons: dict[str, list[tuple[bool, str, str]]] = {}
    for rows in groups.values():
        row_by_metric = {row.metric: row for row in rows}
        metric_row = row_by_metric.get(metric)
        if metric_row is None or metric_row.against_chance <= 0:
            continue
        for name, row in row_by_metric.items():
            if name != metric:
                is_tied, basis, shown = _tied(results, metric_row, row)
                comparisons.setdefault(name, []).append(
                    (is_tied and row.against_chance > 0, basis, shown)
                )
    ties = [
        Tie(
            name,
            sum(is_tied for is_tied, *_ in pairs),
            len(pairs),
            min((basis for is_tied, basis, _ in pairs if is_tied), key=BASES.index, default=""),
            tuple(shown for is_tied, _, shown in pairs if is_tied),
        )
        for name, pairs in comparisons.items()
    ]
    return sorted(
        (tie for tie in ties if tie.n_tied),
        key=lambda tie: (-tie.n_tied / tie.n_compared, -tie.n_compared, tie.metric),
    )


def _verdict(recommendation: Recommendation, groups: Groups, best: Best) -> list[str]:
    metric, ties = recommendation.metric, recommendation.ties
    n_data_sets = sum(any(row.metric == metric for row in rows) for rows in groups.values())
    on_all = [tie for tie in ties if tie.n_tied == tie.n_compared == n_data_sets]
    return _sentences(
        "verdict",
        recommendation,
        n_data_sets=n_data_sets,
        n_best=sum(metric in metrics for metrics in best.values()),
        is_overlap=any(tie.basis == OVERLAP for tie in on_all),
        on_all=[tie.metric for tie in on_all],
        on_most=[tie.metric for tie in ties if tie.is_on_most],
    )


def _limits(
    recommendation: Recommendation,
    results: Results,
    language_evidence: Sequence[Evidence],
    groups: Groups,
    best: Best,
) -> list[str]:
    metric, evidence = recommendation.metric or "", recommendation.evidence
    facts, decisive = results.metrics[metric], USES[recommendation.task].kinds[0]
    largest = max(evidence, key=lambda row: row.n)
    n_best = {key: sum(bool(row.in_best_set) for row in rows) for key, rows in groups.items()}
    n_results = Counter(row.metric for row in results.evidence if (row.kind, row.data_set) in best)
    n_missing: dict[int, list[str]] = {}
    for name in sorted(results.usable(recommendation.references)):
        if 0 < n_results[name] < len(best) and name != metric:
            n_missing.setdefault(len(best) - n_results[name], []).append(name)
    judged, unjudged = _other_languages(recommendation, results)
    with_references = None
    if recommendation.references == "none":
        with_references = _recommend_in_language(
            results, recommendation.task, recommendation.language, "m2"
        ).metric
    return _sentences(
        "limits",
        recommendation,
        is_unjudged=decisive in HUMAN_KINDS and evidence[0].kind != decisive,
        largest=largest,
        is_small=largest.n < (FEW_SYSTEMS if unit(largest) == "systems" else FEW_UNITS),
        tied=[
            f"{key[1]} ({n_best[key]} of {len(rows)})"
            for key, rows in groups.items()
            if n_best[key] > MOST_TIED * len(rows) > 1
        ],
        n_data_sets=len(best),
        n_missing=sorted(n_missing.items()),
        contradictions=_contradictions(recommendation, results, language_evidence, best),
        notes=sorted(
            {
                results.notes[metric, row.corpus]
                for row in evidence
                if row.corpus and (metric, row.corpus) in results.notes
            }
        ),
        is_extracted=metric in EDIT_BASED and recommendation.references == "texts",
        is_exploitable=not facts.reference_based or facts.needs_model,
        needs_model=facts.needs_model,
        with_references=with_references,
        judged=judged,
        unjudged=unjudged,
    )


def _other_languages(
    recommendation: Recommendation, results: Results
) -> tuple[list[str], list[str]]:
    """Return the other languages with human judgments for the task, and with other evidence."""
    rows = [
        row
        for row in results.evidence
        if row.kind in USES[recommendation.task].kinds
        and not _is_in(row.language, recommendation.language)
    ]
    judged = {row.language for row in rows if row.kind in HUMAN_KINDS}
    unjudged = {row.language for row in rows} - judged
    return sorted(map(language_name, judged)), sorted(map(language_name, unjudged))


def _contradictions(
    recommendation: Recommendation,
    results: Results,
    language_evidence: Sequence[Evidence],
    best: Best,
) -> Iterator[tuple[str, Evidence | None, str, Evidence]]:
    """Yield the data sets of the task on which the metric is not best, of all kinds.

    Each has its description, the evidence on the metric, how it compares, and the best evidence.
    """
    usable = set(results.usable(recommendation.references))
    kinds = USES[recommendation.task].kinds
    evidence = sorted(
        (row for row in language_evidence if row.kind in kinds),
        key=lambda row: kinds.index(row.kind),
    )
    for (kind, data_set), rows in by_data_set(evidence).items():
        compared = [row for row in rows if row.metric in usable]
        if not compared:
            continue
        where = f"{KINDS[kind].name} ({data_set})"
        first = max(compared, key=lambda row: row.estimate)
        row = next((row for row in compared if row.metric == recommendation.metric), None)
        if row is None or row.against_chance <= 0:
            yield where, row, "", first
        elif row.metric not in (best.get((kind, data_set)) or best_on(results, compared)):
            is_tied, basis, _ = _tied(results, first, row)
            relation = "significantly worse than"
            if is_tied:
                relation = "not in the set of best metrics, which contains"
            elif basis == OVERLAP:
                relation = "below, with separate intervals,"
            yield where, row, relation, first


def exploitable(metrics: Sequence[str]) -> str:
    """Return the limit of metrics that read no references or use a language model."""
    it, do = ("it", "does") if len(metrics) == 1 else ("them", "do")
    return (
        f"{OPTIMISED} {in_a_sentence(metrics)} can exploit {it}: {in_a_sentence(metrics)} {do} not "
        "check meaning, so a text that says something else can get a high score."
    )


def _look_elsewhere(results: Results, recommendation: Recommendation) -> None:
    task, language = recommendation.task, recommendation.language
    references = recommendation.references
    task_evidence = [row for row in results.evidence if row.kind in USES[task].kinds]
    rows = [row for row in task_evidence if _is_in(row.language, language)]
    usable = results.usable(references)
    restricted = {
        metric
        for metric, facts in results.metrics.items()
        if facts.is_restricted and not any(row.metric == metric for row in rows)
    }
    for other in in_order({row.language for row in task_evidence}):
        if _is_in(other, language):
            continue
        best = _recommend_in_language(results, task, other, references)
        if best.metric in restricted:
            recommendation.limits.append(
                f"{best.metric}, the recommendation for {language_name(other)}, does not read "
                f"{language_name(language)}."
            )
        readable = _recommend_in_language(results, task, other, references, restricted)
        if readable.metric is not None:
            recommendation.elsewhere.append(readable)
    limits = (limit for other in recommendation.elsewhere for limit in other.limits)
    recommendation.limits += dict.fromkeys(limit for limit in limits if limit.startswith(OPTIMISED))
    recommendation.verdict = _sentences(
        "elsewhere",
        recommendation,
        has_evidence=bool(rows),
        is_usable=any(row.metric in usable for row in rows),
        has_data=any(_is_in(tag, language) for tag in results.languages),
        elsewhere=[
            f"{other.metric} in {language_name(other.language)} ({other.evidence[0].data_set}: "
            f"{number(other.evidence[0])})"
            for other in recommendation.elsewhere
        ],
    )


def _sentences(name: str, recommendation: Recommendation, **values: Any) -> list[str]:  # noqa: ANN401
    return read_sentences(
        f"recommend/{name}.txt.j2",
        choice=recommendation,
        use=USES[recommendation.task].name,
        kind=KINDS[recommendation.evidence[0].kind].name if recommendation.evidence else "",
        language=language_name(recommendation.language),
        number=number,
        unit=unit,
        exploitable=exploitable,
        **values,
    )


_NAMES = {
    "ar": "Arabic",
    "cs": "Czech",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "et": "Estonian",
    "fr": "French",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "lv": "Latvian",
    "pl": "Polish",
    "ro": "Romanian",
    "ru": "Russian",
    "sl": "Slovene",
    "sv": "Swedish",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "zh": "Chinese",
}


def language_name(tag: str) -> str:
    """Return the English name of a language, or its tag."""
    return _NAMES.get(tag, tag)


def in_order(languages: Collection[str]) -> list[str]:
    """Return English first, then the other languages by their tags."""
    return sorted(languages, key=lambda tag: (tag != "en", tag))


def number(row: Evidence) -> str:
    """Return an estimate with its interval: `0.88 [0.67, 0.96]`, shares as `70 % [67, 73]`."""
    kind = KINDS[row.kind]
    if kind.symbol == "pairs":
        interval = format_interval(row.ci_low, row.ci_high, lambda value: f"{100 * value:.0f}")
        return f"{format_share(row.estimate)} {interval}".strip()
    return f"{format_number(row.estimate)} {format_interval(row.ci_low, row.ci_high)}".strip()


def unit(row: Evidence) -> str:
    """Return what `n` of the evidence counts."""
    is_rated = row.mart == "rating_correlations" and row.kind == "judged outputs"
    return "outputs" if is_rated else KINDS[row.kind].unit
