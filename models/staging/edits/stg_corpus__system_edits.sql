select
    corpus,
    path,
    line,
    edit_set,
    system,
    sentence_id,
    edit_index,
    start_token,
    end_token,
    error_type,
    correction,
    kind

from {{ source('raw', 'system_edits') }}
