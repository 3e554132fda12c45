-- Lines of files that are not used, or are read differently from how they are written.
with

findings as (

    select
        corpus,
        path,
        line,
        kind,
        detail

    from {{ source('raw', 'ingest_findings') }}

    union all by name

    select
        judgment_set,
        task,
        path,
        line,
        kind,
        detail

    from {{ source('raw', 'judgment_findings') }}

    union all by name

    select
        corpus,
        path,
        line,
        kind,
        judgment_set,
        judge,
        item,
        sentence_id,
        detail

    from {{ source('raw', 'judgment_conflicts') }}

    union all by name

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

    union all by name

    select
        corpus,
        path,
        line,
        left_out as kind,
        'status ' || coalesce(status, '') as detail

    from {{ ref('usable_corrections') }}
    where left_out is not null
    {% if var('replication') %}
        union all by name

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

)

select distinct
    * exclude (treatment),
    case
        when treatment is not null then treatment
        when kind = 'no_output' then 'counts_as_empty'
        when kind in ('repeated_edit', 'repeated_id') then 'used'
        when kind in ('untokenised', 'quoted', 'structured', 'shifted', 'empty_lines', 'language')
            then 'accepted'
        when kind in ('item_twice', 'repetition') then 'first_counts'
        else 'left_out'
    end as treatment

from findings
