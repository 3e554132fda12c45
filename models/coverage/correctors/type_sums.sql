-- Sums over sentences for the ratio of a system's edits of a type (x) to the annotators' (y): for
-- each system and, with NULL as system, for all systems that change anything.
with

counts as (

    select * from {{ ref('type_counts') }}

),

by_system as (

    select
        corpus,
        reference_set,
        system,
        error_type,
        sentence_id,
        n_edits as x

    from counts
    where system is not null

    union all

    select
        corpus,
        reference_set,
        null as system,
        error_type,
        sentence_id,
        sum(n_edits) as x

    from counts
    where system is not null
    group by corpus, reference_set, error_type, sentence_id

),

by_annotators as (

    select
        corpus,
        reference_set,
        error_type,
        sentence_id,
        sum(n_edits) as y

    from counts
    where system is null
    group by corpus, reference_set, error_type, sentence_id

),

systems as (

    select
        corpus,
        reference_set,
        system,
        1 as n_systems

    from counts
    where system is not null
    group by corpus, reference_set, system

),

all_systems as (

    select * from systems

    union all

    select
        corpus,
        reference_set,
        null as system,
        count(*) as n_systems

    from systems
    group by corpus, reference_set

),

annotators as (

    select
        corpus,
        reference_set,
        count(*) as n_annotators

    from {{ ref('reference_names') }}
    where kind = 'typed_gold'
    group by corpus, reference_set

),

of_annotators as (

    select
        corpus,
        reference_set,
        error_type,
        count(*) as n_sentences,
        sum(y)::bigint as y,
        sum(y * y)::bigint as yy

    from by_annotators
    group by corpus, reference_set, error_type

),

of_systems as (

    select
        by_system.corpus,
        by_system.reference_set,
        by_system.system,
        by_system.error_type,
        -- Sentences in which only a system makes such an edit.
        count(*) filter (where by_annotators.y is null) as n_sentences,
        sum(by_system.x)::bigint as x,
        sum(by_system.x * by_system.x)::bigint as xx,
        sum(by_system.x * coalesce(by_annotators.y, 0))::bigint as xy

    from by_system
    left join by_annotators using (corpus, reference_set, error_type, sentence_id)
    group by
        by_system.corpus, by_system.reference_set, by_system.system, by_system.error_type

)

select
    of_annotators.corpus,
    of_annotators.reference_set,
    all_systems.system,
    of_annotators.error_type,
    all_systems.n_systems,
    annotators.n_annotators,
    of_annotators.n_sentences + coalesce(of_systems.n_sentences, 0) as n_sentences,
    coalesce(of_systems.x, 0) as x,
    of_annotators.y,
    coalesce(of_systems.xx, 0) as xx,
    coalesce(of_systems.xy, 0) as xy,
    of_annotators.yy

from of_annotators
inner join all_systems using (corpus, reference_set)
inner join annotators using (corpus, reference_set)
left join of_systems
    on
        of_annotators.corpus = of_systems.corpus
        and of_annotators.reference_set = of_systems.reference_set
        and all_systems.system is not distinct from of_systems.system
        and of_annotators.error_type = of_systems.error_type
