-- Where each statistic of each reference stands in the lists of statistic_lists, from 1.
with

families as (

    select
        family,
        reads_gold,
        reads_types,
        per_reference,
        statistics as names,
        trained_on,
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
    )::integer as place

from families
inner join {{ ref('reference_names') }} as reference_names
    on
        {{ reference_kind() }} = reference_names.kind
        and (families.per_reference or reference_names.position = 0)
inner join {{ source('raw', 'corpora') }} as corpora
    on
        reference_names.corpus = corpora.corpus
        and families.trained_on is distinct from corpora.corpus
        -- Some metric that reads the statistics can read the corpus.
        and len(list_filter(
            families.readers,
            lambda reader: {{ reads_language('reader', 'corpora.language') }}
        )) > 0
