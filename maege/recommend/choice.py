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
    found = _of_language(results, task, language, references)
    if found.metric is None:
        _look_elsewhere(results, found)
    return found


def _of_language(
    results: Results,
    task: UseName,
    language: str,
    references: References,
    without: Collection[str] = (),
) -> Recommendation:
    found = Recommendation(task, language, references)
    usable = set(results.usable(references)) - {*without}
    of_language = [row for row in results.evidence if _is_in(row.language, language)]
    for kind in USES[task].kinds:
        groups = by_data_set([row for row in of_language if row.kind == kind])
        candidates = {
            key: [row for row in rows if row.metric in usable] for key, rows in groups.items()
        }
        best = {key: best_on(results, rows) for key, rows in candidates.items()}
        best = {key: metrics for key, metrics in best.items() if metrics}
        metric = favourite(results, candidates)
        if metric is not None:
            found.metric = metric
            found.evidence = [
                row for key in best for row in candidates[key] if row.metric == metric
            ]
            found.ties = _ties(results, candidates, metric)
            found.verdict = _verdict(found, best)
            found.limits = _limits(found, results, of_language, groups, best)
            return found
    return found


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


def _tied(results: Results, one: Evidence, other: Evidence) -> tuple[bool, str, str]:
    """Return whether two metrics are tied on a data set, how this is known, and the numbers."""
    # The tests are about the lattices and systems of best_metrics, and about no other evidence.
    test = (
        results.tests.get((one.kind, one.data_set, other.metric, one.metric))
        if one.mart == "best_metrics"
        else None
    )
    if test is not None:
        interval = format_interval(test.ci_low, test.ci_high, _signed)
        difference = f"{_signed(test.difference)} {interval}".strip()
        shown = f"{one.data_set} {difference}, {p_equals(test.q_value, 'q')}"
        return test.q_value > ALPHA, TEST, shown
    shown = f"{other.data_set} {number(other)}"
    if one.in_best_set is not None and (one.in_best_set or other.in_best_set):
        return bool(one.in_best_set and other.in_best_set), BEST_SET, shown
    if one.ci_low is None or one.ci_high is None or other.ci_low is None or other.ci_high is None:
        return False, OVERLAP, shown
    return other.ci_high >= one.ci_low and one.ci_high >= other.ci_low, OVERLAP, shown


Groups = Mapping[tuple[str, str], Sequence[Evidence]]


def favourite(results: Results, groups: Groups) -> str | None:
    """Return the metric that could be the best on most data sets; then that with the best ranks.

    None if no metric is better than chance on any of the data sets.
    """
    best = {key: metrics for key, rows in groups.items() if (metrics := best_on(results, rows))}
    names = {name for metrics in best.values() for name in metrics}
    if not names:
        return None
    worst = 1 + max(len(rows) for rows in groups.values())

    def order(name: str) -> tuple[int, float, str]:
        n_best = sum(name in metrics for metrics in best.values())
        ranks = []
        for key in best:
            estimates = {row.metric: row.estimate for row in groups[key]}
            mine = estimates.get(name)
            ranks.append(
                worst if mine is None else sum(value > mine for value in estimates.values())
            )
        return -n_best, sum(ranks) / len(ranks), name

    return min(names, key=order)


def _ties(results: Results, groups: Groups, metric: str) -> list[Tie]:
    """Return the usable metrics that are better than chance and tied with the metric somewhere."""
    found: dict[str, list[tuple[bool, str, str]]] = {}
    for rows in groups.values():
        of_metric = {row.metric: row for row in rows}
        mine = of_metric.get(metric)
        if mine is None or mine.against_chance <= 0:
            continue
        for name, row in of_metric.items():
            if name != metric:
                is_tied, basis, shown = _tied(results, mine, row)
                found.setdefault(name, []).append(
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
        for name, pairs in found.items()
    ]
    return sorted(
        (tie for tie in ties if tie.n_tied),
        key=lambda tie: (-tie.n_tied / tie.n_compared, -tie.n_compared, tie.metric),
    )


def _verdict(found: Recommendation, best: Mapping[tuple[str, str], Sequence[str]]) -> list[str]:
    """Return the recommendation and its reason, a sentence each."""
    row, n_data_sets = found.evidence[0], len(best)
    what = KINDS[row.kind].name
    scope = "of the metrics without references" if found.references == "none" else ""
    on_all = [tie for tie in found.ties if tie.n_tied == tie.n_compared == len(found.evidence)]
    others = in_a_sentence([tie.metric for tie in on_all], MOST_NAMED)
    if n_data_sets > 1:
        n_best = sum(found.metric in metrics for metrics in best.values())
        reason = (
            f"At {what}, it is best or statistically tied for best {scope} on {n_best} of "
            f"{n_data_sets} data sets"
        ) + _others(found, others)
    elif any(tie.basis == OVERLAP for tie in on_all):
        reason = (
            f"It has the highest estimate {scope} at {what} ({row.data_set}), but its interval "
            f"overlaps with {'that' if len(on_all) == 1 else 'those'} of {others}"
        )
    elif on_all:
        reason = f"At {what} ({row.data_set}), it is tied for best {scope} with {others}"
    else:
        standing = "is the best" if row.in_best_set else "has the highest estimate"
        reason = f"It {standing} {scope or 'of the metrics'} at {what} ({row.data_set})"
    return [
        f"Use {found.metric} to {USES[found.task].name} in {language_name(found.language)}.",
        f"{' '.join(reason.split())}.".replace(" ,", ","),
    ]


def _others(found: Recommendation, on_all: str) -> str:
    if on_all:
        return f", and tied with {on_all} on all of them"
    on_most = in_a_sentence([tie.metric for tie in found.ties if tie.is_on_most], MOST_NAMED)
    return f", and tied with {on_most} on most of them" if on_most else ""


def _limits(
    found: Recommendation,
    results: Results,
    of_language: Sequence[Evidence],
    groups: Groups,
    best: Mapping[tuple[str, str], Sequence[str]],
) -> list[str]:
    return [
        *_without_people(found),
        *_few_data(found, groups),
        *_few_results(results, found, best),
        *_contradictions(found, results, of_language, best),
        *_about_inputs(found, results),
        _about_languages(found, results),
    ]


def _about_languages(found: Recommendation, results: Results) -> str:
    """Return which other languages have evidence for the task, human judgments first."""
    kinds = USES[found.task].kinds
    others = [
        row
        for row in results.evidence
        if row.kind in kinds and not _is_in(row.language, found.language)
    ]
    judged = {row.language for row in others if KINDS[row.kind].is_human}
    unjudged = {row.language for row in others} - judged
    parts = [
        f"{what} in {in_a_sentence(sorted(map(language_name, languages)))}"
        for what, languages in (("human judgments", judged), ("other evidence", unjudged))
        if languages
    ]
    elsewhere = f"There are {' and '.join(parts)}" if parts else "No other language has evidence"
    return f"These results are about {language_name(found.language)}. {elsewhere} for this task."


def _without_people(found: Recommendation) -> list[str]:
    decisive, kind = USES[found.task].kinds[0], found.evidence[0].kind
    if KINDS[decisive].is_human and kind != decisive:
        return [
            f"No human judgments in {language_name(found.language)} support this. The evidence is "
            f"from {KINDS[kind].name}."
        ]
    return []


def _few_data(found: Recommendation, groups: Groups) -> list[str]:
    limits = []
    if len(found.evidence) == 1:
        row = found.evidence[0]
        limits.append(f"Only one data set supports this: {row.data_set}.")
    largest = max(found.evidence, key=lambda row: row.n)
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
    results: Results, found: Recommendation, best: Mapping[tuple[str, str], Sequence[str]]
) -> list[str]:
    """Return which usable metrics have results on only a part of the data sets."""
    n_results = Counter(row.metric for row in results.evidence if (row.kind, row.data_set) in best)
    n_fewer: dict[int, list[str]] = {}
    for name in sorted(results.usable(found.references)):
        if 0 < n_results[name] < len(best) and name != found.metric:
            n_fewer.setdefault(len(best) - n_results[name], []).append(name)
    return [
        f"{in_a_sentence(names, MOST_NAMED)} {'has' if len(names) == 1 else 'have'} no result on "
        f"{n_missing} of the {len(best)} data sets, which may hide a better metric."
        for n_missing, names in sorted(n_fewer.items())
    ]


def _contradictions(
    found: Recommendation,
    results: Results,
    of_language: Sequence[Evidence],
    best: Mapping[tuple[str, str], Sequence[str]],
) -> list[str]:
    """Return the data sets of the task on which the metric is not best, of all kinds."""
    limits = []
    usable = set(results.usable(found.references))
    kinds = USES[found.task].kinds
    for (kind, data_set), rows in by_data_set(
        sorted(
            (row for row in of_language if row.kind in kinds),
            key=lambda row: kinds.index(row.kind),
        )
    ).items():
        where = f"{KINDS[kind].name} ({data_set})"
        compared = [row for row in rows if row.metric in usable]
        mine = next((row for row in rows if row.metric == found.metric), None)
        if mine is None:
            if compared:
                limits.append(f"{found.metric} has no result at {where}.")
            continue
        if mine.against_chance <= 0:
            verdict = "worse" if mine.against_chance < 0 else "not better"
            limits.append(
                f"Contradicting evidence: {found.metric} is {verdict} than chance at {where}: "
                f"{number(mine)}."
            )
            continue
        first = max(compared, key=lambda row: row.estimate)
        tied = best.get((kind, data_set)) or best_on(results, compared)
        if found.metric not in tied:
            how = _how_worse(results, first, mine)
            limits.append(
                f"Contradicting evidence: at {where}, {found.metric} ({number(mine)}) is {how} "
                f"{first.metric} ({number(first)})."
            )
    return limits


def _how_worse(results: Results, first: Evidence, mine: Evidence) -> str:
    is_tied, basis, _ = _tied(results, first, mine)
    if is_tied:
        return "not in the set of best metrics, which contains"
    if basis == OVERLAP:
        return "below, with separate intervals,"
    return "significantly worse than"


def _about_inputs(found: Recommendation, results: Results) -> list[str]:
    limits = []
    metric = found.metric or ""
    facts = results.metrics[metric]
    notes = {
        results.notes[metric, row.corpus]
        for row in found.evidence
        if row.corpus and (metric, row.corpus) in results.notes
    }
    limits += [f"{metric} {note}." for note in sorted(notes)]
    if metric in EDIT_BASED and found.references == "texts":
        limits.append(
            f"{metric} compares edits. With references that are texts it extracts the gold edits; "
            "the evidence may be from annotators' edits."
        )
    if not facts.reference_based or facts.needs_model:
        limits.append(exploitable([metric]))
    if facts.needs_model:
        limits.append(f"{metric} needs a language model: see docs/metrics.md.")
    if found.references == "none":
        other = _of_language(results, found.task, found.language, "m2").metric
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


def _look_elsewhere(results: Results, found: Recommendation) -> None:
    """Say that there is no evidence, and add the recommendations in other languages."""
    name, use = language_name(found.language), USES[found.task]
    rows = [
        row
        for row in results.evidence
        if row.kind in use.kinds and _is_in(row.language, found.language)
    ]
    usable = results.usable(found.references)
    if rows and any(row.metric in usable for row in rows):
        why = f"No metric that you can compute is better than chance at this task in {name}"
    elif rows:
        why = f"All metrics with evidence in {name} for this task need references"
    elif any(_is_in(language, found.language) for language in results.languages):
        why = f"The results have data in {name}, but no valid evidence for this task"
    else:
        why = f"The results have no corpus and no judgments in {name}"
    found.verdict = [f"There is no evidence for a metric to {use.name} in {name}. {why}."]
    languages = {row.language for row in results.evidence if row.kind in use.kinds}
    restricted = {
        metric
        for metric, facts in results.metrics.items()
        if facts.is_restricted and not any(row.metric == metric for row in rows)
    }
    for language in sorted(languages, key=lambda one: (one != "en", one)):
        if _is_in(language, found.language):
            continue
        best = _of_language(results, found.task, language, found.references)
        if best.metric in restricted:
            found.limits.append(
                f"{best.metric}, the recommendation for {language_name(language)}, does not read "
                f"{name}."
            )
        readable = _of_language(results, found.task, language, found.references, restricted)
        if readable.metric is not None:
            found.elsewhere.append(readable)
    if found.elsewhere:
        limits = (limit for one in found.elsewhere for limit in one.limits)
        found.limits += dict.fromkeys(limit for limit in limits if limit.startswith(OPTIMISED))
        shown = [
            f"{one.metric} in {language_name(one.language)} ({one.evidence[0].data_set}: "
            f"{number(one.evidence[0])})"
            for one in found.elsewhere
        ]
        found.verdict.append(
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
