"""How well each metric does each task, from all kinds of evidence in the marts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from maege.tasks import TASKS, VARIANT_OF, Task

if TYPE_CHECKING:
    import duckdb

# q-values up to this level are significant.
ALPHA = 0.05

UseName = Literal["systems", "outputs", "edits", "corpora"]
References = Literal["none", "texts", "m2"]


@dataclass(frozen=True)
class Use:
    """A value of `maege recommend --task`, and its kinds of evidence, the decisive one first."""

    name: str
    kinds: tuple[str, ...]


USES: dict[UseName, Use] = {
    "systems": Use("rank systems", ("judged systems", "sampled corpora")),
    "outputs": Use("rank outputs of one sentence", ("judged outputs", "lattices")),
    "edits": Use("notice wrong edits", ("corrupted edits", "edit verdicts")),
    "corpora": Use("compare corpora", ("sampled corpora",)),
}
# Kinds of evidence that are tasks of mart best_metrics, with their `level`.
LEVELS = {
    "judged systems": "system",
    "judged outputs": "output",
    "lattices": "sentence",
    "corrupted edits": "edit",
    "sampled corpora": "corpus",
}
KINDS = {kind: TASKS[level] for kind, level in LEVELS.items()} | {
    "edit verdicts": Task(
        "preferring edits that judges approve",
        "Prefer edits that judges approve",
        "edits",
        "area under the ROC curve",
        "AUC",
        "edits",
        is_share=True,
    )
}
HUMAN_KINDS = ("judged systems", "judged outputs", "edit verdicts")
# Metrics that are not recommended: variants, and the metrics that are recommended instead.
VARIANTS = VARIANT_OF | {"ibleu": "bleu", "grammaticality_gug": "grammaticality"}
# They measure the distance to a text, as a comparison for other metrics.
BASELINES = ("ld", "min_ld")
# They compare the hypothesis with gold edits, which are extracted if the references are texts.
EDIT_BASED = ("m2", "errant", "cleme", "cleme2", "gotoscorer", "imeasure")


@dataclass(frozen=True)
class Evidence:
    """How well a metric does a task on one data set.

    `data_set` is a corpus, or a judgment set with its task and aspect. `against_chance` is 1 if the
    metric is significantly better than chance, -1 if it is worse, else 0. `in_best_set` is None
    without a model confidence set. `q_value` is None if the test is in the interval.
    """

    kind: str
    language: str
    data_set: str
    corpus: str | None
    judgment_set: str | None
    metric: str
    estimate: float
    ci_low: float | None
    ci_high: float | None
    q_value: float | None
    against_chance: int
    in_best_set: bool | None
    n: int
    mart: str


# Of ratings, the aspects that say how good a correction is as a whole.
_ASPECTS = "('overall', 'quality', 'grammaticality')"
_KINDS_OF_LEVELS = {level: kind for kind, level in LEVELS.items()}
_EVIDENCE = f"""
with

-- A combined judgment set repeats the judgments of its members.
single_sets as (
    select judgment_set, any_value(language) as language
    from judgment_sets as sets
    where
        task = 'correction'
        and not exists (
            from judgment_sets as members
            where
                members.corpus = sets.corpus and members.judgment_set != sets.judgment_set
                and contains(sets.title, members.title) and sets.title != members.title
        )
    group by judgment_set
),

-- Lattices next to another annotator's reference, if metrics with references have no rank at the
-- corpus's own lattices because every chain ends in a reference. They replace the latter for all
-- metrics, which would otherwise be compared under different conditions.
other_annotator as (
    select corpus, language, metric, n_sentences as n, unnest([
        {{'kind': 'lattices', 'estimate': tau, 'ci_low': tau_ci_low, 'ci_high': tau_ci_high,
         'chance': 0.0}},
        {{'kind': 'corrupted edits', 'estimate': over_corrupted, 'ci_low': over_corrupted_ci_low,
         'ci_high': over_corrupted_ci_high, 'chance': 0.5}}
    ], recursive := true)
    from corpus_comparisons
    where
        references_mode = 'one_other' and label is null
        and corpus not in (
            select best_metrics.corpus
            from best_metrics
            inner join metrics using (metric)
            where level = 'sentence' and too_few is null and reference_based
        )
),

best as (
    select
        map {_KINDS_OF_LEVELS}[level] as kind,
        coalesce(single_sets.language, corpora.language) as language,
        coalesce(best_metrics.judgment_set, best_metrics.corpus) as data_set,
        best_metrics.corpus, best_metrics.judgment_set, metric, estimate, ci_low, ci_high,
        null::double as q_value,
        case verdict when 'better than chance' then 1 when 'worse than chance' then -1 else 0 end
            as against_chance,
        in_best_set,
        n,
        'best_metrics' as mart
    from best_metrics
    left join single_sets using (judgment_set)
    left join corpora on best_metrics.corpus = corpora.corpus
    where
        too_few is null and estimate is not null
        and (best_metrics.judgment_set is null or single_sets.judgment_set is not null)
        and not (
            level in ('sentence', 'edit')
            and best_metrics.corpus in (select corpus from other_annotator)
        )
),

rated as (
    select
        if(level = 'system', 'judged systems', 'judged outputs') as kind,
        judgment_tasks.language,
        concat_ws(', ', judgment_set, nullif(task, judgment_set), aspect) as data_set,
        corpus, judgment_set, metric,
        if(level = 'system', pearson_r, accuracy) as estimate,
        ci_low, ci_high, q_value,
        if(level = 'system', 0, 0.5) as chance,
        n,
        'rating_correlations' as mart
    from rating_correlations
    inner join judgment_tasks using (judgment_set, task)
    left join reference_sets using (corpus, reference_set)
    where
        level in ('system', 'within_item') and too_few is null and aspect in {_ASPECTS}
        and asked_of = 'correction'
        and coalesce(is_default or reference_set = 'none', true)
    qualify row_number() over (
        partition by judgment_set, task, level, metric
        order by array_position(['overall', 'quality', 'grammaticality'], aspect), n desc,
            corpus, reference_set
    ) = 1
),

preferred as (
    select
        'judged outputs' as kind,
        judgment_tasks.language,
        concat_ws(', ', judgment_set, nullif(task, judgment_set), aspect) as data_set,
        corpus, judgment_set, metric, accuracy as estimate, ci_low, ci_high,
        chance_q_value as q_value, 0.5 as chance, n_sentences as n, 'sentence_agreement' as mart
    -- Rankings have no task in judgment_tasks: best_metrics has them.
    from sentence_agreement
    inner join judgment_tasks using (judgment_set, task)
    where is_headline and too_few is null and asked_of = 'correction'
),

approved as (
    select
        'edit verdicts' as kind,
        judgment_tasks.language,
        concat_ws(', ', judgment_set, nullif(task, judgment_set), nullif(corpus, judgment_set))
            as data_set,
        corpus, judgment_set, metric, auc as estimate, ci_low, ci_high, q_value, 0.5 as chance,
        n_edits as n, 'verdict_agreement' as mart
    from verdict_agreement
    inner join judgment_tasks using (judgment_set, task)
    left join reference_sets using (corpus, reference_set)
    where
        too_few is null and asked_of = 'correction'
        and coalesce(is_default or reference_set = 'none', true)
    -- Edits whose text is a reference are easy for metrics that read it.
    qualify row_number() over (
        partition by judgment_set, task, corpus, metric
        order by verdict_set = 'without_gold' desc, reference_set
    ) = 1
),

tested as (
    select kind, language, data_set, corpus, judgment_set, metric, estimate, ci_low, ci_high,
        q_value, if(q_value <= {ALPHA}, sign(estimate - chance), 0) as against_chance,
        null as in_best_set, n, mart
    from (from rated union all by name from preferred union all by name from approved)
    union all
    select kind, language, corpus, corpus, null, metric, estimate, ci_low, ci_high, null,
        case when ci_low > chance then 1 when ci_high < chance then -1 else 0 end, null, n,
        'corpus_comparisons'
    from other_annotator
)

from (from best union all by name from tested)
where language is not null and isfinite(estimate) and not starts_with(metric, 'chance_')
order by kind, language, n desc, data_set, estimate desc, metric
"""  # noqa: S608 - constants of this module


@dataclass(frozen=True)
class Test:
    """The test of a metric against another on one data set; a positive difference favours it."""

    difference: float
    ci_low: float | None
    ci_high: float | None
    q_value: float


_TESTS = """
with tests as (
    select
        if(level = 'system', 'judged systems', 'lattices') as kind,
        coalesce(judgment_set, corpus) as data_set,
        metric_a, metric_b, difference, ci_low, ci_high, q_value
    from metric_comparisons
    left join reference_sets using (corpus, reference_set)
    where
        too_few is null and q_value is not null and error_type is null
        and (
            (level = 'sentence' and experiment = 'random_source')
            or (
                level = 'system' and method = 'trueskill' and resampled = 'both'
                and system_set in ('base', 'all')
                and coalesce(is_default or reference_set = 'none', true)
            )
        )
    qualify row_number() over (
        partition by kind, corpus, judgment_set, metric_a, metric_b
        order by system_set = 'base' desc, is_default desc nulls last
    ) = 1
)

select kind, data_set, metric_a, metric_b, difference, ci_low, ci_high, q_value from tests
union all
select kind, data_set, metric_b, metric_a, -difference, -ci_high, -ci_low, q_value from tests
"""


@dataclass(frozen=True)
class MetricFacts:
    """What a user needs to compute a metric, and whether it reads only some languages."""

    metric: str
    reference_based: bool
    needs_model: bool
    is_restricted: bool


_METRICS = """
select
    metric, reference_based, needs_model,
    metric in (select metric from metric_availability where reason_code = 'other_language')
from metrics
where is_selected and inputs != 'ingested'
order by metric
"""
_LANGUAGES = "select language from corpora union select language from judgment_tasks"
_NOTES = """
select metric, corpus, reason from metric_availability where corpus is not null and is_available
"""


@dataclass(frozen=True)
class Results:
    """What is read from the marts, once for all recommendations.

    `metrics` are those that can be recommended. `tests` are by kind, data set and two metrics in
    both orders; only systems and lattices have tests. `notes` are by metric and corpus.
    """

    evidence: Sequence[Evidence]
    tests: Mapping[tuple[str, str, str, str], Test]
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


def read_results(connection: "duckdb.DuckDBPyConnection") -> Results:
    """Return what recommendations need; a search path to the marts is expected.

    The evidence is ordered by kind and language, the largest data set first.
    """

    def rows(query: str) -> list[tuple[Any, ...]]:
        return connection.execute(query).fetchall()

    metrics = (MetricFacts(*row) for row in rows(_METRICS))
    return Results(
        [Evidence(*row) for row in rows(_EVIDENCE)],
        {(kind, data_set, a, b): Test(*test) for kind, data_set, a, b, *test in rows(_TESTS)},
        {each.metric: each for each in metrics if each.metric not in {*VARIANTS, *BASELINES}},
        {tag for (tag,) in rows(_LANGUAGES)},
        {(metric, corpus): reason for metric, corpus, reason in rows(_NOTES)},
    )


def by_data_set(evidence: Sequence[Evidence]) -> dict[tuple[str, str], list[Evidence]]:
    """Return the evidence by kind and data set, in the order of the evidence."""
    groups: dict[tuple[str, str], list[Evidence]] = {}
    for row in evidence:
        groups.setdefault((row.kind, row.data_set), []).append(row)
    return groups
