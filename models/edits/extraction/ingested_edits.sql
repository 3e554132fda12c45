-- Edits that a tool extracted from system outputs, one annotation per output sentence; '' if the
-- tool found no change.
with

usable as (
    {{ of_usable_sentences(source('raw', 'system_edits')) }}
),

edit_sets as (

    select distinct
        corpus,
        split_part(name, '/', 1) as edit_set,
        split_part(name, '/', 2) as system

    from {{ source('raw', 'files') }}
    where role = 'system_edits'

),

annotations as (

    select
        corpus,
        edit_set,
        system,
        sentence_id,
        {{ annotation_text(
            'start_token', 'end_token', 'error_type', 'correction', "''", 'edit_index'
        ) }} as annotation

    from usable
    where kind = 'correction'
    group by corpus, edit_set, system, sentence_id

)

select
    edit_sets.corpus,
    edit_sets.edit_set,
    edit_sets.system,
    outputs.sentence_id,
    coalesce(annotations.annotation, '') as annotation,
    {{ content_key("coalesce(annotations.annotation, '')") }} as annotation_key

from edit_sets
inner join {{ ref('usable_outputs') }} as outputs using (corpus, system)
left join annotations using (corpus, edit_set, system, sentence_id)
