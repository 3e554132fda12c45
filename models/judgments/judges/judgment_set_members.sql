-- The sets of human rankings that metrics are compared with: ingested sets, and sets that the
-- variable `combined_judgments` combines.
with

ingested as (

    select
        corpus,
        judgment_set

    from {{ source('raw', 'judgment_sets') }}

)

select
    corpus,
    judgment_set,
    judgment_set as member

from ingested

{%- for name, members in var('combined_judgments').items() %}
    {%- set listed = "'" ~ members | join("', '") ~ "'" %}

    union all

    select
        corpus,
        '{{ name }}' as judgment_set,
        unnest(list(judgment_set)) as member
    from ingested
    where judgment_set in ({{ listed }})
    group by corpus
    having count(*) = {{ members | length }}
{%- endfor %}
