-- Edits of annotators, whose alternative corrections M2 separates by bars. An alternative that
-- deletes may be written -NONE-. Edits with a group are from XML, where bars are text.
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
