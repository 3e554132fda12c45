-- The outputs of all systems of a corpus for each sentence, as one list, for metrics that weight a
-- correction by the number of systems that make it. An edit set has a tool's edits of the outputs;
-- without one (edit_set NULL), and if edits_key is 0, edits have to be extracted.
with

outputs as (

    select * from {{ ref('usable_outputs') }}

),

edit_sets as (

    select distinct
        corpus,
        edit_set
    from {{ source('raw', 'reference_sets') }}
    where edit_set is not null

    union all

    select distinct
        corpus,
        null as edit_set
    from outputs

),

members as (

    select
        outputs.corpus,
        edit_sets.edit_set,
        outputs.sentence_id,
        {{ text_key('outputs.text', 'outputs.language') }} as text_id,
        coalesce(ingested_edits.annotation_key, 0) as edits_key

    from outputs
    inner join edit_sets using (corpus)
    left join {{ ref('ingested_edits') }} as ingested_edits
        on
            edit_sets.corpus = ingested_edits.corpus
            and edit_sets.edit_set = ingested_edits.edit_set
            and outputs.system = ingested_edits.system
            and outputs.sentence_id = ingested_edits.sentence_id

)

select
    corpus,
    edit_set,
    sentence_id,
    -- Sorted by content, so that weights do not depend on the names of systems.
    list(
        struct_pack(text_id := text_id, edits_key := edits_key) order by text_id, edits_key
    ) as outputs,
    {{ content_key(
        "string_agg(text_id || ':' || edits_key, ' ' order by text_id, edits_key)"
    ) }} as outputs_key

from members
group by corpus, edit_set, sentence_id
