-- The distinct reference lists of all pairs; for metrics that compare two texts, also each text
-- that is compared with a hypothesis, as a list of one.
select
    references_key,
    text_ids,
    has_empty_reference
from {{ ref('reference_lists') }}
union
select
    references_key,
    text_ids,
    has_empty_reference
from {{ ref('compared_references') }}
union
select
    steps.references_key,
    [steps.other_text_id] as text_ids,
    trim(texts.text, ' ') = '' as has_empty_reference
from {{ ref('compared_steps') }} as steps
inner join {{ ref('texts') }} as texts on steps.other_text_id = texts.text_id
