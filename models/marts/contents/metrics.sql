-- Every metric of the registry, and every metric whose scores were ingested, with everything that
-- its scores depend on. A signature names the systems of a corpus if the metric weights corrections
-- by them, and the language if edits are extracted or texts are checked differently from English.
-- For metrics that read ERRANT's types it states for each reference set whether the gold is the
-- file's, extracted from annotators' corrections (auto), or extracted from reference texts.
with

extractors as (

    select
        language,
        replace(extractor, '|', '+') as extractor,
        replace(english_extractor, '|', '+') as english_extractor

    from {{ ref('edit_extractor') }}

),

of_languages as (

    select distinct
        registry.metric,
        registry.is_selected,
        registry.family,
        registry.version,
        registry.inputs,
        registry.higher_is_better,
        registry.reference_based,
        registry.needs_model,
        registry.source,
        registry.reads_outputs,
        registry.reads_types,
        extractors.language,
        case
            when registry.scored_by = 'languagetool' and extractors.language <> 'en'
                then registry.signature || '|language:' || extractors.language
            when
                extractors.extractor <> extractors.english_extractor
                and contains(registry.signature, extractors.english_extractor)
                then
                    replace(
                        registry.signature, extractors.english_extractor, extractors.extractor
                    )
                    || '|language:' || extractors.language
            else registry.signature
        end as signature

    from {{ ref('metric_registry') }} as registry
    left join extractors
        on {{ reads_language('registry.languages', 'extractors.language') }}

),

systems as (

    select
        corpus,
        language,
        string_agg(distinct system, ',' order by system) as listed

    from {{ ref('usable_outputs') }}
    group by corpus, language

),

golds as (

    select
        sets.corpus,
        corpora.language,
        string_agg(
            sets.reference_set || '=' || case
                when sets.annotation_set is null then 'texts'
                when untyped_sets.corpus is null then 'given'
                else 'auto'
            end,
            ',' order by sets.reference_set
        ) as listed

    from {{ source('raw', 'reference_sets') }} as sets
    inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
    left join {{ ref('untyped_annotation_sets') }} as untyped_sets using (corpus, annotation_set)
    group by sets.corpus, corpora.language

),

files as (

    select * from {{ source('raw', 'files') }}
    where role = 'scores'

),

ingested as (

    select distinct
        metric,
        corpus,
        higher_is_better,
        reference_set is not null as reference_based

    from {{ ref('usable_sentence_scores') }}

),

signed as (

    select
        of_languages.* exclude (signature),
        of_languages.signature
        || coalesce('|systems:' || systems.corpus || ':' || systems.listed, '')
        || coalesce('|gold:' || golds.corpus || ':' || golds.listed, '') as signature

    from of_languages
    left join systems
        on
            of_languages.reads_outputs
            and of_languages.language = systems.language
    left join golds
        on
            of_languages.reads_types
            and of_languages.language = golds.language

    union all by name

    select
        ingested.metric,
        true as is_selected,
        null as family,
        left(files.sha256, 12) as version,
        'ingested' as inputs,
        ingested.higher_is_better,
        ingested.reference_based,
        false as needs_model,
        'file ' || files.path || ' of corpus ' || ingested.corpus as source,
        ingested.metric || '|ingested|corpus:' || ingested.corpus || '|sha256:'
        || left(files.sha256, 12) as signature

    from ingested
    inner join files
        on
            ingested.corpus = files.corpus
            and ingested.metric = files.name

)

select
    metric,
    bool_or(is_selected) as is_selected,
    string_agg(distinct signature, '; ' order by signature) as signature,
    string_agg(distinct version, '; ' order by version) as version,
    string_agg(distinct family, ', ' order by family) as family,
    string_agg(distinct inputs, '; ' order by inputs) as inputs,
    bool_and(higher_is_better) as higher_is_better,
    bool_or(reference_based) as reference_based,
    bool_or(needs_model) as needs_model,
    string_agg(distinct source, '; ' order by source) as source

from signed
group by metric
