-- The score of each metric that is scored elsewhere for each requested pair; NULL without a score.
with

families as (

    select * from {{ ref('metric_registry') }}
    where is_selected and scored_by <> 'warehouse' and not reads_other

),

-- Computed first, because a join on keys from two tables would compare all rows with all rows.
read_inputs as materialized (

    select
        inputs.pair_id,
        families.metric,
        {{ source_key() }} as source_key,
        {{ hypothesis_key() }} as hypothesis_key,
        {{ references_key() }} as references_key

    from {{ ref('scoring_inputs') }} as inputs
    cross join families

)

select
    read_inputs.pair_id,
    read_inputs.metric,
    requests.score

from read_inputs
inner join {{ ref('own_requests') }} as requests
    on
        read_inputs.metric = requests.metric
        and read_inputs.source_key = requests.source_text_id
        and read_inputs.hypothesis_key = requests.hypothesis_text_id
        and read_inputs.references_key = requests.references_key
