-- Weights chosen on one set of judgments, and what they are worth on another, beside the best and
-- the published ones there: nothing is tuned on what is reported. Sets that share a judgment do not
-- meet.
with

surface as (

    select * from {{ ref('weight_surface') }}

),

judgment_sets as (

    select * from {{ ref('judgment_set_members') }}

),

sharing as (

    select distinct
        one.corpus,
        one.judgment_set,
        other.judgment_set as other_judgment_set

    from judgment_sets as one
    inner join judgment_sets as other
        on
            one.corpus = other.corpus
            and one.member = other.member

),

coefficients as (

    select
        *,
        'pearson' as coefficient,
        pearson_r as correlation,
        pearson_ci_low as ci_low,
        pearson_ci_high as ci_high,
        is_best_pearson as is_best
    from surface
    union all
    select
        *,
        'spearman' as coefficient,
        spearman_rho as correlation,
        spearman_ci_low as ci_low,
        spearman_ci_high as ci_high,
        is_best_spearman as is_best
    from surface

),

landmarks as (

    select
        corpus,
        judgment_set,
        method,
        system_set,
        coefficient,
        max(correlation) filter (where is_best) as best_correlation,
        max(correlation) filter (where is_published) as published_correlation

    from coefficients
    group by corpus, judgment_set, method, system_set, coefficient

)

select
    tested.corpus,
    tested.judgment_set,
    tested.method,
    tested.system_set,
    tested.coefficient,
    chosen.corpus as chosen_corpus,
    chosen.judgment_set as chosen_judgment_set,
    chosen.grammaticality_weight,
    chosen.fluency_weight,
    chosen.meaning_weight,
    chosen.correlation as chosen_correlation,
    tested.correlation,
    tested.ci_low,
    tested.ci_high,
    landmarks.best_correlation,
    landmarks.published_correlation

from coefficients as chosen
inner join coefficients as tested
    on
        chosen.method = tested.method
        and chosen.system_set = tested.system_set
        and chosen.coefficient = tested.coefficient
        and chosen.grammaticality_weight = tested.grammaticality_weight
        and chosen.fluency_weight = tested.fluency_weight
        and chosen.meaning_weight = tested.meaning_weight
inner join landmarks
    on
        tested.corpus = landmarks.corpus
        and tested.judgment_set = landmarks.judgment_set
        and tested.method = landmarks.method
        and tested.system_set = landmarks.system_set
        and tested.coefficient = landmarks.coefficient
anti join sharing
    on
        chosen.corpus = sharing.corpus
        and tested.corpus = sharing.corpus
        and chosen.judgment_set = sharing.judgment_set
        and tested.judgment_set = sharing.other_judgment_set
where chosen.is_best
