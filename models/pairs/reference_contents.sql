-- The references of all pairs by content, whatever shows them together.
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
