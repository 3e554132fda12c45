-- The name of each position in the lists of statistic_lists.
with

families as (

    select
        family,
        reads_gold,
        reads_types,
        per_reference,
        statistics as names,
        arg_min(metric, place) as metric,
        list(languages) filter (where is_selected) as readers

    from {{ ref('metric_registry') }}
    where scored_by in ('warehouse', 'languagetool')
    group by all
    having bool_or(is_selected)

)

select
    reference_names.corpus,
    reference_names.reference_set,
    families.metric,
    if(families.per_reference, reference_names.reference, null) as reference,
    unnest(families.names) as statistic,
    (
        reference_names.position * len(families.names)
        + generate_subscripts(families.names, 1)
    )::integer as position

from families
inner join {{ ref('reference_names') }} as reference_names
    on
        {{ reference_kind() }} = reference_names.kind
        and (families.per_reference or reference_names.position = 0)
inner join {{ source('raw', 'corpora') }} as corpora
    on
        reference_names.corpus = corpora.corpus
        -- A selected metric of the family reads the language of the corpus.
        and len(list_filter(
            families.readers,
            lambda reader: {{ reads_language('reader', 'corpora.language') }}
        )) > 0
