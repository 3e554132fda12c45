-- The error types of all edits, with their meaning.
with

found as (

    select
        annotators.annotation_scheme,
        edits.error_type

    from {{ ref('annotated_edits') }} as edits
    inner join {{ ref('annotators') }} as annotators using (corpus, annotation_set, annotator)
    where edits.kind <> 'none'

    union

    select
        if(regexp_matches(error_type, '^[MRU]:'), 'errant', 'other') as annotation_scheme,
        error_type
    from {{ ref('hypothesis_edits') }}

    union

    select
        if(regexp_matches(error_type, '^[MRU]:'), 'errant', 'other') as annotation_scheme,
        error_type
    from {{ ref('typed_gold_edits') }}

),

parsed as (

    select
        *,
        if(annotation_scheme = 'errant', regexp_extract(error_type, '^([MRU]):', 1), '') as mark,
        if(
            annotation_scheme = 'errant', regexp_replace(error_type, '^[MRU]:', ''), error_type
        ) as category

    from found

)

select
    parsed.annotation_scheme,
    parsed.error_type,
    case parsed.mark
        when 'M' then 'missing'
        when 'R' then 'replacement'
        when 'U' then 'unnecessary'
    end as operation,
    parsed.category,
    descriptions.description

from parsed
left join {{ ref('error_type_descriptions') }} as descriptions using (annotation_scheme, category)
order by parsed.annotation_scheme, parsed.error_type
