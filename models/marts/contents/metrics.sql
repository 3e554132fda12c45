-- What every score was computed with: one row per signature of a selected metric, and one per
-- metric whose sentence scores were ingested.
with

registry as (

    select * from {{ ref('metric_registry') }}
    where is_selected

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
    signature,
    metric as name,
    version,
    inputs,
    higher_is_better,
    reference_based,
    source

from registry

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
