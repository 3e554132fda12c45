-- Edits of annotators. M2 separates alternative corrections by bars, and -NONE- is a deletion.
-- Edits with an error group are from XML, in which bars are text.
with

edits as (

    {{ of_usable_sentences(source('raw', 'm2_edits')) }}

),

with_alternatives as (

    select
        *,
        if(
            error_group is null,
            list_transform(
                string_split(correction, '||'),
                lambda alternative: if(trim(alternative) = '-NONE-', '', alternative)
            ),
            [correction]
        ) as alternatives

    from edits
    where out_of_range is distinct from 'skipped'

)

select * replace (alternatives[1] as correction)

from with_alternatives
