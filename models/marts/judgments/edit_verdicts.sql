-- Every verdict on a single edit, and where it is from.
select
    judgment_set,
    task,
    path,
    line,
    item,
    edit,
    start_char,
    end_char,
    original,
    correction,
    edited_id as output_id,
    judge,
    slot,
    verdict,
    value,
    provenance

from {{ ref('judged_verdicts') }}
