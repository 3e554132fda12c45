-- The edits of all annotators, a no-op of theirs for a sentence that they left alone included: as
-- the files have them, or extracted from references.
with

requests as (

    select * from {{ ref('annotation_requests') }}

),

reference_edits as (

    select * from {{ ref('reference_edits') }}

),

annotations as (

    select
        requests.corpus,
        requests.path,
        requests.line,
        requests.annotation_set,
        requests.sentence_id,
        requests.annotator,
        reference_edits.annotation

    from requests
    inner join reference_edits
        on
            requests.extractor_key = reference_edits.extractor_key
            and requests.source_text_id = reference_edits.source_text_id
            and requests.target_text_id = reference_edits.target_text_id

),

extracted as (

    {{ edits_of_annotations(
        'annotations',
        ['corpus', 'path', 'line', 'annotation_set', 'sentence_id', 'annotator']
    ) }}

)

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
    correction,
    alternatives,
    error_group,
    out_of_range

from {{ ref('stg_m2__edits') }}

union all

select
    corpus,
    path,
    line,
    annotation_set,
    sentence_id,
    annotator,
    edit_index::integer as edit_index,
    false as is_noop,
    start_token,
    end_token,
    error_type,
    correction,
    correction as alternatives,
    null::varchar as error_group,
    null::varchar as out_of_range

from extracted

union all

select
    corpus,
    path,
    line,
    annotation_set,
    sentence_id,
    annotator,
    null::integer as edit_index,
    true as is_noop,
    -1 as start_token,
    -1 as end_token,
    'noop' as error_type,
    '' as correction,
    '' as alternatives,
    null::varchar as error_group,
    null::varchar as out_of_range

from annotations
where annotation = ''
