-- Annotators who corrected sentences by edits, in each annotation set of a corpus, with the number
-- of sentences that they annotated.
with

answers as (

    select
        corpus,
        annotation_set,
        annotator,
        count(*) filter (where is_asked) as n_asked,
        count(*) filter (where is_asked and not has_line) as n_silent

    from {{ ref('annotator_answers') }}
    group by corpus, annotation_set, annotator

),

edits as (

    select * from {{ ref('annotated_edits') }}

),

corrections as (

    select
        corpus,
        annotation_set,
        annotator,
        count(*) as n_corrections

    from edits
    where kind = 'correction'
    group by corpus, annotation_set, annotator

),

typed as (

    select
        edits.corpus,
        edits.annotation_set,
        edits.kind,
        edits.error_type,
        nucle_types.category is not null as is_of_nucle

    from edits
    left join {{ ref('error_type_descriptions') }} as nucle_types
        on
            edits.error_type = nucle_types.category
            and nucle_types.annotation_scheme = 'nucle'

),

schemes as (

    select
        corpus,
        annotation_set,
        case
            when {{ has_errant_types() }} then 'errant'
            when avg(is_of_nucle::integer) filter (where kind <> 'none') >= 0.9 then 'nucle'
            else 'other'
        end as annotation_scheme

    from typed
    group by corpus, annotation_set

)

select
    annotators.corpus,
    annotators.annotation_set,
    annotators.annotator,
    coalesce(schemes.annotation_scheme, 'other') as annotation_scheme,
    coalesce(answers.n_asked, 0)::integer as n_asked,
    coalesce(answers.n_silent, 0)::integer as n_silent,
    coalesce(corrections.n_corrections, 0)::integer as n_corrections

from {{ source('raw', 'annotators') }} as annotators
left join answers using (corpus, annotation_set, annotator)
left join corrections using (corpus, annotation_set, annotator)
left join schemes using (corpus, annotation_set)
order by annotators.corpus, annotators.annotation_set, annotators.position
