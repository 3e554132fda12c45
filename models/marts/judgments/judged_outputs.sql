-- Every text that people judged, and whether it is also the source or a reference: by the role of
-- its systems in the manifest, or because the texts are equal except for white space.
with

outputs as (

    select * from {{ source('raw', 'judged_outputs') }}

),

of_systems as (

    select
        judgment_set,
        item,
        output_id,
        string_agg(system, ',' order by system) as systems,
        bool_or(is_reference) as is_named_reference

    from {{ source('raw', 'output_systems') }}
    group by judgment_set, item, output_id

),

reference_outputs as (

    select distinct
        outputs.judgment_set,
        outputs.item,
        outputs.output_id

    from outputs
    inner join {{ ref('judged_links') }} as links using (judgment_set, item)
    inner join {{ ref('listed_references') }} as reference_texts
        on
            links.corpus = reference_texts.corpus
            and links.sentence_id = reference_texts.sentence_id
            and {{ without_blanks('outputs.text') }} = {{ without_blanks('reference_texts.text') }}

)

select
    outputs.judgment_set,
    outputs.item,
    outputs.output_id,
    outputs.text,
    outputs.is_source,
    of_systems.systems,
    coalesce(of_systems.is_named_reference, false) as is_named_reference,
    reference_outputs.output_id is not null as is_reference_text

from outputs
left join of_systems using (judgment_set, item, output_id)
left join reference_outputs using (judgment_set, item, output_id)
