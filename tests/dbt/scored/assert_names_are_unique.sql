-- Keys are hashes of content (60 bits): two contents with the same key would share their scores.
-- For each kind of key, the number of distinct keys equals that of distinct contents.
with

counts as (

    select
        'annotation_id' as name,
        count(distinct annotation_id) as n_names,
        count(*) as n_things
    from {{ ref('lattice_annotations') }}
    union all
    select
        'chain_id' as name,
        count(distinct chain_id) as n_names,
        count(*) as n_things
    from {{ ref('lattice_chains') }}
    union all
    select
        'node_id' as name,
        count(distinct node_id) as n_names,
        count(*) as n_things
    from {{ ref('node_texts') }}
    union all
    select
        'text_id' as name,
        count(distinct text_id) as n_names,
        count(*) as n_things
    from {{ ref('texts') }}
    union all
    select
        'references_key' as name,
        count(distinct references_key) as n_names,
        count(distinct text_ids) as n_things
    from {{ ref('reference_contents') }}
    union all
    select
        'pair_id' as name,
        count(distinct pair_id) as n_names,
        count(*) as n_things
    from {{ ref('scoring_pairs') }}
    union all
    select
        'signature_key' as name,
        count(distinct signature_key) as n_names,
        count(distinct family_signature) as n_things
    from {{ ref('metric_registry') }}

)

select * from counts
where n_names <> n_things
