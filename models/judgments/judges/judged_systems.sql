-- The systems of each selection, because conclusions depend on it: `all` judged systems, and the
-- selections that the manifest names.
with

systems as (

    select * from {{ source('raw', 'judgment_systems') }}

),

chosen as (

    select
        corpus,
        judgment_set,
        system_set,
        system
    from {{ source('raw', 'judgment_system_sets') }}
    union all
    select
        corpus,
        judgment_set,
        'all' as system_set,
        system
    from systems

)

select distinct
    judgment_sets.corpus,
    judgment_sets.judgment_set,
    chosen.system_set,
    chosen.system,
    systems.has_output

from {{ ref('judgment_set_members') }} as judgment_sets
inner join chosen
    on
        judgment_sets.corpus = chosen.corpus
        and judgment_sets.member = chosen.judgment_set
inner join systems
    on
        chosen.corpus = systems.corpus
        and chosen.judgment_set = systems.judgment_set
        and chosen.system = systems.system
