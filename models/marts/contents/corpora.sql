-- Ingested corpora.
with

files as (

    select
        corpus,
        max(ingested_at) as ingested_at

    from {{ source('raw', 'files') }}
    group by all

),

annotators as (

    select
        corpus,
        count(*) as n_annotators

    from {{ source('raw', 'annotators') }}
    group by all

),

reference_names as (

    select
        corpus,
        count(distinct reference) as n_references

    from {{ source('raw', 'references') }}
    group by all

),

systems as (

    select
        corpus,
        count(distinct system) as n_systems

    from {{ source('raw', 'outputs') }}
    group by all

)

select
    corpora.corpus,
    corpora.language,
    corpora.n_sentences,
    coalesce(annotators.n_annotators, 0) as n_annotators,
    coalesce(reference_names.n_references, 0) as n_references,
    coalesce(systems.n_systems, 0) as n_systems,
    lattices.lattices_from,
    corpora.title,
    corpora.licence,
    corpora.origin,
    files.ingested_at

from {{ source('raw', 'corpora') }} as corpora
inner join files using (corpus)
left join annotators on corpora.corpus = annotators.corpus
left join reference_names on corpora.corpus = reference_names.corpus
left join systems on corpora.corpus = systems.corpus
left join {{ source('raw', 'lattices') }} as lattices on corpora.corpus = lattices.corpus
