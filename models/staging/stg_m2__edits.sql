with

source as (

    select * from {{ source('raw', 'm2_edits') }}

),

renamed as (

    select
        corpus,
        path,
        line,
        annotation_set,
        sentence_id,
        annotator,
        edit_index,
        is_noop,
        start_token,
        end_token,
        error_type,
        split_part(correction, '||', 1) as correction,
        correction as alternatives,
        required,
        comment

    from source

)

select * from renamed
