-- Every two metrics: is one better, at what, and how sure is that?
with

rankings as (

    select
        'ranking' as level,
        corpus,
        judgment_set,
        method,
        reference_set,
        'judged' as sentence_set,
        system_set,
        null::varchar as mode,
        null::varchar as experiment,
        null::varchar as error_type,
        'pearson_r' as measure,
        metric_a,
        metric_b,
        estimate_a,
        estimate_b,
        difference,
        ci_low,
        ci_high,
        p_value,
        q_value,
        test,
        n,
        n_sentences,
        resampled,
        direction,
        n_resamples,
        too_few,
        null::varchar as references_mode

    from {{ ref('metric_significance') }}

),

lattices as (

    select
        if(error_type is null, 'lattice', 'error_type') as level,
        corpus,
        null::varchar as judgment_set,
        null::varchar as method,
        null::varchar as reference_set,
        null::varchar as sentence_set,
        null::varchar as system_set,
        mode,
        experiment,
        error_type,
        measure,
        metric_a,
        metric_b,
        estimate_a,
        estimate_b,
        difference,
        ci_low,
        ci_high,
        p_value,
        q_value,
        'random_signs' as test,
        n_sentences as n,
        n_sentences,
        'sentences' as resampled,
        case sign(difference)
            when 1 then 'a'
            when -1 then 'b'
            else 'neither'
        end as direction,
        n_resamples,
        too_few,
        {{ lattice_origin('references_mode', 'differences') }}

    from {{ ref('tau_differences') }} as differences
    where difference is not null

)

select * from rankings
union all
select * from lattices
