select
    corpus,
    path,
    line,
    annotation_set,
    sentence_id,
    annotator,
    start_token,
    end_token,
    error_type,
    correction,
    out_of_range as treatment

from {{ source('raw', 'm2_edits') }}
where out_of_range is not null
