-- What was judged: texts, with what else they are.
select
    judgment_set,
    item,
    output_id,
    systems,
    text,
    is_source,
    is_named_reference,
    is_reference_text

from {{ ref('judged_texts') }}
