-- The paper on coverage: what a perfect corrector scores. `reproduced` is of the corpora that were
-- drawn and released, with the band of their sentences; `corrected` of all answers of the crowd.
with

scores as (

    select * from {{ ref('perfect_corrector_scores') }}

),

drawn as (

    select
        metric,
        n_references,
        score,
        ci_low,
        ci_high

    from scores
    where starts_with(corpus, 'lcb_perfect_')

),

expected as (

    select
        metric,
        n_references,
        score

    from scores
    where corpus = 'lcb_gec' and corrector = 'perfect'

),

grammar as (

    select
        coalesce(drawn.metric, expected.metric) as metric,
        coalesce(drawn.n_references, expected.n_references) as n_references,
        drawn.score as reproduced,
        expected.score as corrected,
        drawn.ci_low as band_low,
        drawn.ci_high as band_high

    from drawn
    full outer join expected
        on drawn.metric = expected.metric and drawn.n_references = expected.n_references

),

gaps as (

    select
        gleu.n_references,
        gleu.reproduced - m2.reproduced as reproduced,
        gleu.corrected - m2.corrected as corrected

    from grammar as gleu
    inner join grammar as m2 using (n_references)
    where gleu.metric = 'gleu' and m2.metric = 'm2'

),

better_systems as (

    select
        sum((systems.corpus_score > m2.reproduced)::integer) as reproduced,
        sum((systems.corpus_score > m2.corrected)::integer) as corrected

    from {{ ref('system_scores') }} as systems
    cross join grammar as m2
    where
        systems.corpus = 'conll14' and systems.reference_set = 'nucle'
        and systems.metric = 'm2'
        and m2.metric = 'm2' and m2.n_references = 2

)

select
    'figure_4' as exhibit,
    metric || '_m_' || n_references as row_label,
    'score' as column_label,
    reproduced,
    corrected,
    band_low,
    band_high
from grammar
union all by name
select
    'released_corpora' as exhibit,
    'm2_m_' || n_references as row_label,
    case metric
        when 'm2' then 'f'
        when 'm2_precision' then 'precision'
        when 'm2_recall' then 'recall'
    end as column_label,
    reproduced,
    corrected
from grammar
where metric in ('m2', 'm2_precision', 'm2_recall')
union all by name
select
    'text' as exhibit,
    'm2_m_2' as row_label,
    'perfect' as column_label,
    reproduced,
    corrected
from grammar
where metric = 'm2' and n_references = 2
union all by name
select
    'text' as exhibit,
    'gleu_above_m2_m_' || n_references as row_label,
    'perfect' as column_label,
    reproduced,
    corrected
from gaps
union all by name
select
    'text' as exhibit,
    'systems_above_m2_m_2' as row_label,
    'perfect' as column_label,
    reproduced::double as reproduced,
    corrected::double as corrected
from better_systems
union all by name
select
    'figure_5' as exhibit,
    metric || '_m_' || n_references as row_label,
    corrector as column_label,
    score as corrected
from scores
where corpus = 'lcb_simplification'
