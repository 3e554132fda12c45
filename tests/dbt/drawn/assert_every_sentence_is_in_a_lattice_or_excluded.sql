-- Every annotator of every sentence has either a chain or a reason for the exclusion, never both.
with

annotations as (

    select * from {{ ref('lattice_annotations') }}

),

sentences as (

    select * from {{ ref('usable_sentences') }}

),

lattices as (

    select * from {{ source('raw', 'lattices') }}
    where {{ var('replication') }} or not is_published_run

),

nodes as (

    select distinct
        corpus,
        sentence_id,
        annotator

    from {{ ref('lattice_nodes') }}

),

exclusions as (

    select * from {{ ref('sentence_exclusions') }}
    where stage = 'lattices'

),

explained as (

    select
        annotations.corpus,
        annotations.sentence_id,
        annotations.annotator,
        (nodes.annotator is not null)::integer
        + (exclusions.reason is not null)::integer as n_explanations

    from annotations
    left join nodes
        on
            annotations.corpus = nodes.corpus
            and annotations.sentence_id = nodes.sentence_id
            and annotations.annotator = nodes.annotator
    left join exclusions
        on
            annotations.corpus = exclusions.corpus
            and annotations.sentence_id = exclusions.sentence_id
            and coalesce(exclusions.annotator, annotations.annotator) = annotations.annotator

),

missing as (

    select
        sentences.corpus,
        sentences.sentence_id,
        null as annotator,
        0 as n_explanations

    from sentences
    inner join lattices on sentences.corpus = lattices.corpus
    left join annotations
        on
            lattices.corpus = annotations.corpus
            and sentences.sentence_id = annotations.sentence_id
    where annotations.annotation_id is null

)

select * from explained
where n_explanations <> 1
union all
select * from missing
