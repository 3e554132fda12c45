-- What files hold that counts for nothing, or otherwise than it stands there.
with

found as (

    select
        corpus,
        path,
        line,
        kind,
        judgment_set,
        task,
        detail,
        case kind
            when 'no_output' then 'counts_as_empty'
            when 'repetition' then 'first_counts'
            when 'repeated_edit' then 'used'
            when 'repeated_id' then 'used'
            when 'untokenised' then 'accepted'
            when 'quoted' then 'accepted'
            when 'structured' then 'accepted'
            when 'shifted' then 'accepted'
            when 'empty_lines' then 'accepted'
            when 'language' then 'accepted'
            else 'left_out'
        end as treatment

    from {{ ref('stg_corpus__ingest_findings') }}

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

    from {{ ref('stg_corpus__judgment_conflicts') }}

),

of_crowds as (

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
        if(edits.treatment = 'kept', 'kept', 'left_out') as treatment

    from {{ ref('stg_m2__edits_out_of_range') }} as edits
    inner join {{ ref('stg_corpus__sentences') }} as sentences
        on
            edits.corpus = sentences.corpus
            and edits.sentence_id = sentences.sentence_id

)

select * from found
union distinct by name
select * from of_rankings
union distinct by name
select * from out_of_range
union distinct by name
select * from of_crowds
