-- The edits of all annotators, with a no-op for each sentence that they did not change: from files,
-- or extracted from references.
with

requests as (

    select * from {{ ref('edit_requests') }}
    where kind = 'annotation'

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
    inner join {{ ref('reference_edits') }} as reference_edits
        using (extractor_key, source_text_id, target_text_id)

),

extracted as (

    {{ edits_of_annotations(
        'annotations', ['corpus', 'annotation_set', 'sentence_id', 'annotator']
    ) }}

),

from_references as (

    select
        annotations.corpus,
        annotations.path,
        annotations.line,
        annotations.annotation_set,
        annotations.sentence_id,
        annotations.annotator,
        extracted.edit_index::integer as edit_index,
        if(extracted.edit_index is null, 'none', 'correction') as kind,
        coalesce(extracted.start_token, -1) as start_token,
        coalesce(extracted.end_token, -1) as end_token,
        coalesce(extracted.error_type, 'noop') as error_type,
        coalesce(extracted.correction, '') as correction,
        [coalesce(extracted.correction, '')] as alternatives

    from annotations
    left join extracted using (corpus, annotation_set, sentence_id, annotator)

),

united as (

    select * from {{ ref('usable_edits') }}
    union all by name
    select * from from_references

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
    correction,
    alternatives,
    error_group,
    out_of_range

from united
