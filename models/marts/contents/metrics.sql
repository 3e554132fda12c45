-- What every score was computed with: one row per signature of a selected metric, which names the
-- systems of a corpus where the metric weighs corrections by them, and one per metric whose
-- sentence scores were ingested.
with

registry as (

    select * from {{ ref('metric_registry') }}
    where is_selected

),

systems as (

    select
        corpus,
        string_agg(distinct system, ',' order by system) as listed

    from {{ ref('stg_corpus__outputs') }}
    group by corpus

),

files as (

    select * from {{ ref('stg_corpus__files') }}
    where role = 'scores'

),

ingested as (

    select distinct
        metric,
        corpus,
        higher_is_better,
        reference_set is not null as reference_based

    from {{ ref('stg_corpus__sentence_scores') }}

)

select distinct
    registry.signature
    || coalesce('|systems:' || systems.corpus || ':' || systems.listed, '') as signature,
    registry.metric as name,
    registry.version,
    registry.inputs,
    registry.higher_is_better,
    registry.reference_based,
    registry.source

from registry
left join systems on registry.reads_outputs

union all

select
    ingested.metric || '|ingested|corpus:' || ingested.corpus || '|sha256:'
    || left(files.sha256, 12) as signature,
    ingested.metric as name,
    left(files.sha256, 12) as version,
    'ingested' as inputs,
    ingested.higher_is_better,
    ingested.reference_based,
    'file ' || files.path || ' of corpus ' || ingested.corpus as source

from ingested
inner join files
    on
        ingested.corpus = files.corpus
        and ingested.metric = files.name
