-- Which list of statistics each sentence of an output has, by metric.
with

outputs as (

    select
        fingerprints.fingerprint,
        numbered.output_id

    from {{ ref('output_fingerprints') }} as fingerprints
    inner join {{ ref('statistic_outputs') }} as numbered using (corpus, reference_set, system)

),

distinct_values as (

    select * from {{ ref('statistic_values') }}

)

select
    lists.metric,
    lists.sentence_id,
    outputs.output_id,
    distinct_values.values_id

from {{ ref('statistic_lists') }} as lists
inner join outputs using (fingerprint)
inner join distinct_values
    on
        lists.counts is not distinct from distinct_values.counts
        and lists.reals is not distinct from distinct_values.reals
-- Like rows stand together, which takes a ninth of the space.
order by lists.metric, lists.sentence_id, distinct_values.values_id, outputs.output_id
