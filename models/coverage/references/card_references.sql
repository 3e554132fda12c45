-- What a metric's card says of references: what complete coverage would add to a system's score,
-- what a perfect corrector scores beside two, and how many order systems as others would.
with

adjusted as (

    select
        corpus,
        metric,
        'adjustment' as measure,
        estimator as item,
        reference_set,
        -- Of decimals, which any order of rows adds up alike.
        avg((adjusted_score - corpus_score)::decimal(18, 12)) as value,
        max(n_references) as n

    from {{ ref('score_adjustments') }}
    where target is null and estimator <> 'naive'
    group by corpus, metric, estimator, reference_set

),

perfect as (

    select
        metric,
        'perfect_score' as measure,
        corpus as item,
        -- Of a crowd that is made of references; a crowd of its own has none.
        reference_set,
        score as value,
        ci_low,
        ci_high,
        n_references as n

    from {{ ref('perfect_corrector_scores') }}
    where mode = 'paper' and corrector = 'perfect' and n_references = 2

),

needed as (

    select
        corpus,
        metric,
        'references_needed' as measure,
        measure as item,
        reference_set,
        n_references as value,
        ci_low,
        ci_high

    from {{ ref('references_needed') }}
    where metric is not null and measure = 'pairs' and target_share = 0.95

),

facts as (

    select * from adjusted
    union all by name
    select * from perfect
    union all by name
    select * from needed

)

select
    'references' as section,
    *

from facts
