-- Pairs that a metric of the user's own has no score for. Means over different sentences cannot be
-- compared, so whoever compares corpora or systems leaves out the sentences of these pairs.
with

own_requests as (

    select * from {{ ref('own_requests') }}
    where score is null

),

families as (

    select * from {{ ref('metric_registry') }}
    where is_selected and scored_by <> 'warehouse'

),

inputs as (

    select * from {{ ref('scoring_inputs') }}

)

select
    inputs.pair_id,
    families.metric

from inputs
cross join families
inner join own_requests
    on
        families.metric = own_requests.metric
        and {{ source_key() }} = own_requests.source_text_id
        and {{ hypothesis_key() }} = own_requests.hypothesis_text_id
        and {{ references_key() }} = own_requests.references_key
