-- The references of all pairs by content, whatever shows them together; and for metrics that
-- compare two texts each text that stands beside a hypothesis, alone.
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
