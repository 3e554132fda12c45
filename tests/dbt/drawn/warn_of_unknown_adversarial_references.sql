-- The variable adversarial_references must name existing sets. A corpus of that name may be a
-- different one.
{{ config(severity='warn') }}
with

reference_texts as (

    select distinct
        corpus,
        reference_set

    from {{ ref('listed_references') }}

),

named as (

    select
        null::varchar as corpus,
        null::varchar as reference_set
    where false
    {% for corpus, reference_sets in var('adversarial_references').items() %}
        union all
        select
            '{{ corpus }}' as corpus,
            unnest({{ reference_sets }}::varchar[]) as reference_set
    {% endfor %}

)

select named.*

from named
semi join reference_texts on named.corpus = reference_texts.corpus
anti join reference_texts as known
    on
        named.corpus = known.corpus
        and named.reference_set = known.reference_set
