-- What files hold that counts for nothing, or otherwise than it stands there.
with

found as (

    select
        corpus,
        path,
        line,
        kind,
        detail,
        case
            when kind = 'no_output' then 'counts_as_empty'
            when kind in ('repeated_edit', 'repeated_id') then 'used'
            when
                kind in (
                    'untokenised', 'quoted', 'structured', 'shifted', 'empty_lines', 'language'
                )
                then 'accepted'
            else 'left_out'
        end as treatment

    from {{ source('raw', 'ingest_findings') }}

),

of_judgments as (

    select
        judgment_set,
        task,
        path,
        line,
        kind,
        detail,
        if(kind = 'repetition', 'first_counts', 'left_out') as treatment

    from {{ source('raw', 'judgment_findings') }}

),

of_rankings as (

    select
        corpus,
        path,
        line,
        kind,
        judgment_set,
        judge,
        item,
        sentence_id,
        detail,
        case
            when kind in ('item_twice', 'repetition') then 'first_counts'
            else 'left_out'
        end as treatment

    from {{ source('raw', 'judgment_conflicts') }}

),

of_crowds as (

    select
        corpus,
        path,
        line,
        left_out as kind,
        'status ' || coalesce(status, '') as detail,
        'left_out' as treatment

    from {{ ref('usable_corrections') }}
    where left_out is not null

),

out_of_range as (

    select
        edits.corpus,
        edits.path,
        edits.line,
        'edit_out_of_range' as kind,
        edits.sentence_id,
        format(
            'annotator {}, {}: tokens {} to {} of {}, "{}"',
            edits.annotator, edits.error_type, edits.start_token, edits.end_token,
            len(sentences.tokens), edits.correction
        ) as detail,
        if(edits.out_of_range = 'kept', 'kept', 'left_out') as treatment

    from {{ source('raw', 'm2_edits') }} as edits
    inner join {{ source('raw', 'sentences') }} as sentences using (corpus, sentence_id)
    where edits.out_of_range is not null

)

select * from found
union distinct by name
select * from of_judgments
union distinct by name
select * from of_rankings
union distinct by name
select * from out_of_range
union distinct by name
select * from of_crowds
{% if var('replication') %}
    union distinct by name
    select
        corpus,
        path,
        line,
        kind,
        item,
        sentence_id,
        detail,
        treatment
    from {{ ref('crowd_findings') }}
{% endif %}
