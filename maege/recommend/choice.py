"""Choose the metric to use for a task, a language and the references at hand, with its limits."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from maege.names import in_a_sentence
from maege.numbers import format_interval, format_number, format_share, format_signed, p_equals
from maege.recommend.evidence import (
    ALPHA,
    EDIT_BASED,
    HUMAN_KINDS,
    KINDS,
    USES,
    Evidence,
    MetricFacts,
    References,
    Tests,
    UseName,
    by_data_set,
    read_evidence,
    read_metrics,
    read_tests,
)

if TYPE_CHECKING:
    import duckdb


# How ties are found, the weakest evidence first: overlapping intervals are no test.
BASES = OVERLAP, BEST_SET, TEST = "overlapping intervals", "confidence set", "test"
# If more than this share of the metrics are tied for best, the data separate hardly any.
MOST_TIED = 0.5
# Below these numbers of systems, and of sentences or outputs, a limit says that data are few.
FEW_SYSTEMS, FEW_UNITS = 20, 100
# A sentence names at most this number of metrics.
MOST_NAMED = 6
OPTIMISED = "A system that is optimised for"


@dataclass(frozen=True)
class Results:
    """What is read from the marts, once for all recommendations."""

    evidence: Sequence[Evidence]
    tests: Tests
    metrics: Mapping[str, MetricFacts]
    languages: Collection[str]
    notes: Mapping[tuple[str, str], str]

    def usable(self, references: References) -> list[str]:
        """Return the metrics whose inputs are available."""
        return [
            name
            for name, facts in self.metrics.items()
            if references != "none" or not facts.reference_based
        ]


@dataclass(frozen=True)
class Tie:
    """A metric that is statistically tied with the recommended one.

    `n_tied` of the `n_compared` data sets with both metrics have a tie. `basis` says how that was
    found: `test`, `confidence set` or `overlapping intervals`, which is no test.
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

    `evidence` has the rows of the metric on the data sets that decided. `elsewhere` has the
    recommendations in other languages, if this language has none.
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


def read_results(connection: "duckdb.DuckDBPyConnection") -> Results:
    """Return what recommendations need; a search path to the marts is expected."""
    notes = connection.execute(
        "select metric, corpus, reason from metric_availability "
        "where corpus is not null and is_available"
    ).fetchall()
    languages = connection.execute(
        "select language from corpora union select language from judgment_tasks"
    ).fetchall()
    return Results(
        read_evidence(connection),
        read_tests(connection),
        read_metrics(connection),
        {language for (language,) in languages},
        {(metric, corpus): reason for metric, corpus, reason in notes},
    )


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
        best = _best_by_data_set(results, candidates)
        metric = favourite(results, candidates)
        if metric is not None:
            recommendation.metric = metric
            recommendation.evidence = [
                row for key in best for row in candidates[key] if row.metric == metric
            ]
            recommendation.ties = _ties(results, candidates, metric)
            recommendation.verdict = _verdict(recommendation, best)
            recommendation.limits = _limits(
                recommendation, results, language_evidence, groups, best
            )
            return recommendation
    return recommendation


def _is_in(tag: str, other_tag: str) -> bool:
    """Whether two tags are of one language: `zh` and `zh-Hans`."""
    return tag.partition("-")[0] == other_tag.partition("-")[0]


def best_on(results: Results, rows: Sequence[Evidence]) -> list[str]:
    """Return which of the metrics could be the best on a data set, by estimate.

    These are the members of the model confidence set. Without one, or if it has none of the
    metrics, they are the metrics that are tied with the highest estimate. Empty if no metric is
    better than chance.
    """
    good = sorted((row for row in rows if row.against_chance > 0), key=lambda row: -row.estimate)
    in_set = [row.metric for row in good if row.in_best_set]
    if in_set or not good:
        return in_set
    first = good[0]
    return [row.metric for row in good if row is first or _tied(results, first, row)[0]]


def _tied(results: Results, row: Evidence, other: Evidence) -> tuple[bool, str, str]:
    """Return whether two metrics are tied on a data set, how this is known, and the numbers."""
    # The tests are about the lattices and systems of best_metrics, and about no other evidence.
    test = (
        results.tests.get((row.kind, row.data_set, other.metric, row.metric))
        if row.mart == "best_metrics"
        else None
    )
    if test is not None:
        interval = format_interval(test.ci_low, test.ci_high, _signed)
        difference = f"{_signed(test.difference)} {interval}".strip()
        shown = f"{row.data_set} {difference}, {p_equals(test.q_value, 'q')}"
        return test.q_value > ALPHA, TEST, shown
    shown = f"{other.data_set} {number(other)}"
    if row.in_best_set is not None and (row.in_best_set or other.in_best_set):
        return bool(row.in_best_set and other.in_best_set), BEST_SET, shown
    if row.ci_low is None or row.ci_high is None or other.ci_low is None or other.ci_high is None:
        return False, OVERLAP, shown
    return other.ci_high >= row.ci_low and row.ci_high >= other.ci_low, OVERLAP, shown


Groups = Mapping[tuple[str, str], Sequence[Evidence]]


def _best_by_data_set(results: Results, groups: Groups) -> dict[tuple[str, str], list[str]]:
    return {key: metrics for key, rows in groups.items() if (metrics := best_on(results, rows))}


def favourite(results: Results, groups: Groups) -> str | None:
    """Return the metric that could be the best on most data sets; then that with the best ranks.

    None if no metric is better than chance on any of the data sets.
    """
    best = _best_by_data_set(results, groups)
    names = {name for metrics in best.values() for name in metrics}
    if not names:
        return None
    worst = 1 + max(len(rows) for rows in groups.values())

    def order(name: str) -> tuple[int, float, str]:
        n_best = sum(name in metrics for metrics in best.values())
        ranks = []
        for key in best:
            estimates = {row.metric: row.estimate for row in groups[key]}
            estimate = estimates.get(name)
            ranks.append(
                worst if estimate is None else sum(value > estimate for value in estimates.values())
            )
        return -n_best, sum(ranks) / len(ranks), name

    return min(names, key=order)


def _ties(results: Results, groups: Groups, metric: str) -> list[Tie]:
    """Return the usable metrics that are better than chance and tied with the metric somewhere."""
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


def _verdict(
    recommendation: Recommendation, best: Mapping[tuple[str, str], Sequence[str]]
) -> list[str]:
    row, n_data_sets = recommendation.evidence[0], len(best)
    kind_name = KINDS[row.kind].name
    scope = "of the metrics without references" if recommendation.references == "none" else ""
    on_all = [
        tie
        for tie in recommendation.ties
        if tie.n_tied == tie.n_compared == len(recommendation.evidence)
    ]
    tied_names = in_a_sentence([tie.metric for tie in on_all], MOST_NAMED)
    if n_data_sets > 1:
        n_best = sum(recommendation.metric in metrics for metrics in best.values())
        reason = (
            f"At {kind_name}, it is best or statistically tied for best {scope} on {n_best} of "
            f"{n_data_sets} data sets"
        ) + _ties_clause(recommendation, tied_names)
    elif any(tie.basis == OVERLAP for tie in on_all):
        reason = (
            f"It has the highest estimate {scope} at {kind_name} ({row.data_set}), but its "
            f"interval overlaps with {'that' if len(on_all) == 1 else 'those'} of {tied_names}"
        )
    elif on_all:
        reason = f"At {kind_name} ({row.data_set}), it is tied for best {scope} with {tied_names}"
    else:
        result = "is the best" if row.in_best_set else "has the highest estimate"
        reason = f"It {result} {scope or 'of the metrics'} at {kind_name} ({row.data_set})"
    return [
        f"Use {recommendation.metric} to {USES[recommendation.task].name} in "
        f"{language_name(recommendation.language)}.",
        f"{' '.join(reason.split())}.".replace(" ,", ","),
    ]


def _ties_clause(recommendation: Recommendation, on_all: str) -> str:
    if on_all:
        return f", and tied with {on_all} on all of them"
    on_most = in_a_sentence(
        [tie.metric for tie in recommendation.ties if tie.is_on_most], MOST_NAMED
    )
    return f", and tied with {on_most} on most of them" if on_most else ""


def _limits(
    recommendation: Recommendation,
    results: Results,
    language_evidence: Sequence[Evidence],
    groups: Groups,
    best: Mapping[tuple[str, str], Sequence[str]],
) -> list[str]:
    return [
        *_without_people(recommendation),
        *_few_data(recommendation, groups),
        *_few_results(results, recommendation, best),
        *_contradictions(recommendation, results, language_evidence, best),
        *_about_inputs(recommendation, results),
        _about_languages(recommendation, results),
    ]


def _about_languages(recommendation: Recommendation, results: Results) -> str:
    """Return which other languages have evidence for the task, human judgments first."""
    kinds = USES[recommendation.task].kinds
    rows = [
        row
        for row in results.evidence
        if row.kind in kinds and not _is_in(row.language, recommendation.language)
    ]
    judged = {row.language for row in rows if row.kind in HUMAN_KINDS}
    unjudged = {row.language for row in rows} - judged
    parts = [
        f"{label} in {in_a_sentence(sorted(map(language_name, languages)))}"
        for label, languages in (("human judgments", judged), ("other evidence", unjudged))
        if languages
    ]
    elsewhere = f"There are {' and '.join(parts)}" if parts else "No other language has evidence"
    name = language_name(recommendation.language)
    return f"These results are about {name}. {elsewhere} for this task."


def _without_people(recommendation: Recommendation) -> list[str]:
    decisive, kind = USES[recommendation.task].kinds[0], recommendation.evidence[0].kind
    if decisive in HUMAN_KINDS and kind != decisive:
        return [
            f"No human judgments in {language_name(recommendation.language)} support this. "
            f"The evidence is from {KINDS[kind].name}."
        ]
    return []


def _few_data(recommendation: Recommendation, groups: Groups) -> list[str]:
    limits = []
    if len(recommendation.evidence) == 1:
        row = recommendation.evidence[0]
        limits.append(f"Only one data set supports this: {row.data_set}.")
    largest = max(recommendation.evidence, key=lambda row: row.n)
    if largest.n < (FEW_SYSTEMS if unit(largest) == "systems" else FEW_UNITS):
        limits.append(
            f"The largest data set has {largest.n} {unit(largest)}: intervals are wide, and many "
            "differences cannot be detected."
        )
    tied = [
        f"{data_set} ({n_best} of {len(rows)})"
        for (_, data_set), rows in groups.items()
        if (n_best := sum(bool(row.in_best_set) for row in rows)) > MOST_TIED * len(rows) > 1
    ]
    if tied:
        limits.append(
            f"Most metrics are statistically tied for best on {in_a_sentence(tied)}: few metrics "
            "can be separated there."
        )
    return limits


def _few_results(
    results: Results, recommendation: Recommendation, best: Mapping[tuple[str, str], Sequence[str]]
) -> list[str]:
    """Return which usable metrics have results on only a part of the data sets."""
    n_results = Counter(row.metric for row in results.evidence if (row.kind, row.data_set) in best)
    n_fewer: dict[int, list[str]] = {}
    for name in sorted(results.usable(recommendation.references)):
        if 0 < n_results[name] < len(best) and name != recommendation.metric:
            n_fewer.setdefault(len(best) - n_results[name], []).append(name)
    return [
        f"{in_a_sentence(names, MOST_NAMED)} {'has' if len(names) == 1 else 'have'} no result on "
        f"{n_missing} of the {len(best)} data sets, which may hide a better metric."
        for n_missing, names in sorted(n_fewer.items())
    ]


def _contradictions(
    recommendation: Recommendation,
    results: Results,
    language_evidence: Sequence[Evidence],
    best: Mapping[tuple[str, str], Sequence[str]],
) -> list[str]:
    """Return the data sets of the task on which the metric is not best, of all kinds."""
    limits = []
    usable = set(results.usable(recommendation.references))
    kinds = USES[recommendation.task].kinds
    for (kind, data_set), rows in by_data_set(
        sorted(
            (row for row in language_evidence if row.kind in kinds),
            key=lambda row: kinds.index(row.kind),
        )
    ).items():
        where = f"{KINDS[kind].name} ({data_set})"
        compared = [row for row in rows if row.metric in usable]
        metric_row = next((row for row in rows if row.metric == recommendation.metric), None)
        if metric_row is None:
            if compared:
                limits.append(f"{recommendation.metric} has no result at {where}.")
            continue
        if metric_row.against_chance <= 0:
            verdict = "worse" if metric_row.against_chance < 0 else "not better"
            limits.append(
                f"Contradicting evidence: {recommendation.metric} is {verdict} than chance at "
                f"{where}: {number(metric_row)}."
            )
            continue
        first = max(compared, key=lambda row: row.estimate)
        tied = best.get((kind, data_set)) or best_on(results, compared)
        if recommendation.metric not in tied:
            relation = _how_worse(results, first, metric_row)
            limits.append(
                f"Contradicting evidence: at {where}, {recommendation.metric} "
                f"({number(metric_row)}) is {relation} {first.metric} ({number(first)})."
            )
    return limits


def _how_worse(results: Results, first: Evidence, row: Evidence) -> str:
    is_tied, basis, _ = _tied(results, first, row)
    if is_tied:
        return "not in the set of best metrics, which contains"
    if basis == OVERLAP:
        return "below, with separate intervals,"
    return "significantly worse than"


def _about_inputs(recommendation: Recommendation, results: Results) -> list[str]:
    limits = []
    metric = recommendation.metric or ""
    facts = results.metrics[metric]
    notes = {
        results.notes[metric, row.corpus]
        for row in recommendation.evidence
        if row.corpus and (metric, row.corpus) in results.notes
    }
    limits += [f"{metric} {note}." for note in sorted(notes)]
    if metric in EDIT_BASED and recommendation.references == "texts":
        limits.append(
            f"{metric} compares edits. With references that are texts it extracts the gold edits; "
            "the evidence may be from annotators' edits."
        )
    if not facts.reference_based or facts.needs_model:
        limits.append(exploitable([metric]))
    if facts.needs_model:
        limits.append(f"{metric} needs a language model: see docs/metrics.md.")
    if recommendation.references == "none":
        other = _recommend_in_language(
            results, recommendation.task, recommendation.language, "m2"
        ).metric
        if other not in (None, metric):
            limits.append(f"With references, {other} is the recommendation.")
    return limits


def exploitable(metrics: Sequence[str]) -> str:
    """Return the limit of metrics that read no references or use a language model."""
    it, do = ("it", "does") if len(metrics) == 1 else ("them", "do")
    return (
        f"{OPTIMISED} {in_a_sentence(metrics)} can exploit {it}: {in_a_sentence(metrics)} {do} not "
        "check meaning, so a text that says something else can get a high score."
    )


def _look_elsewhere(results: Results, recommendation: Recommendation) -> None:
    """Say that there is no evidence, and add the recommendations in other languages."""
    name, use = language_name(recommendation.language), USES[recommendation.task]
    rows = [
        row
        for row in results.evidence
        if row.kind in use.kinds and _is_in(row.language, recommendation.language)
    ]
    usable = results.usable(recommendation.references)
    if rows and any(row.metric in usable for row in rows):
        reason = f"No metric that you can compute is better than chance at this task in {name}"
    elif rows:
        reason = f"All metrics with evidence in {name} for this task need references"
    elif any(_is_in(language, recommendation.language) for language in results.languages):
        reason = f"The results have data in {name}, but no valid evidence for this task"
    else:
        reason = f"The results have no corpus and no judgments in {name}"
    recommendation.verdict = [
        f"There is no evidence for a metric to {use.name} in {name}. {reason}."
    ]
    languages = {row.language for row in results.evidence if row.kind in use.kinds}
    restricted = {
        metric
        for metric, facts in results.metrics.items()
        if facts.is_restricted and not any(row.metric == metric for row in rows)
    }
    for language in sorted(languages, key=lambda tag: (tag != "en", tag)):
        if _is_in(language, recommendation.language):
            continue
        best = _recommend_in_language(
            results, recommendation.task, language, recommendation.references
        )
        if best.metric in restricted:
            recommendation.limits.append(
                f"{best.metric}, the recommendation for {language_name(language)}, does not read "
                f"{name}."
            )
        readable = _recommend_in_language(
            results, recommendation.task, language, recommendation.references, restricted
        )
        if readable.metric is not None:
            recommendation.elsewhere.append(readable)
    if recommendation.elsewhere:
        limits = (limit for other in recommendation.elsewhere for limit in other.limits)
        recommendation.limits += dict.fromkeys(
            limit for limit in limits if limit.startswith(OPTIMISED)
        )
        shown = [
            f"{other.metric} in {language_name(other.language)} ({other.evidence[0].data_set}: "
            f"{number(other.evidence[0])})"
            for other in recommendation.elsewhere
        ]
        recommendation.verdict.append(
            f"Recommendations for other languages: {in_a_sentence(shown)}. "
            f"Whether they hold in {name} is unknown."
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


def number(row: Evidence) -> str:
    """Return an estimate with its interval: `0.88 [0.67, 0.96]`, shares as `70 % [67, 73]`."""
    kind = KINDS[row.kind]
    if kind.symbol == "pairs":
        interval = format_interval(row.ci_low, row.ci_high, lambda value: f"{100 * value:.0f}")
        return f"{format_share(row.estimate)} {interval}".strip()
    return f"{format_number(row.estimate)} {format_interval(row.ci_low, row.ci_high)}".strip()


def _signed(value: float) -> str:
    return format_signed(value, 2)


def unit(row: Evidence) -> str:
    """Return what `n` of the evidence counts."""
    is_rated = row.mart == "rating_correlations" and row.kind == "judged outputs"
    return "outputs" if is_rated else KINDS[row.kind].unit
