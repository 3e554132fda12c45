with

source as (

    select
        *,
        -- M2 sets alternatives apart by bars, which are text elsewhere; one that deletes may be
        -- written out. Errors with a group are the I-measure's XML.
        if(
            error_group is null,
            list_transform(
                string_split(correction, '||'),
                lambda alternative: if(trim(alternative) = '-NONE-', '', alternative)
            ),
            [correction]
        ) as alternatives

    from {{ source('raw', 'm2_edits') }}

)

select
    corpus,
    path,
    line,
    annotation_set,
    sentence_id,
    annotator,
    edit_index,
    kind,
    start_token,
    end_token,
    error_type,
    alternatives[1] as correction,
    alternatives,
    required,
    comment,
    error_group,
    out_of_range

from source
where out_of_range is distinct from 'skipped'
