-- Numbers in the running text of the MAEGE paper, recomputed.
with

lattices as (

    select
        corpus,
        reference_set
    from {{ source('raw', 'lattices') }}
    where corpus in ('conll14', 'conll14_published')

),

positions as (

    select
        corpus,
        count(*) as n_nodes,
        count(distinct chain_id) as n_chains

    from {{ ref('chain_nodes') }}
    where corpus in ('conll14', 'conll14_published')
    group by all

),

sentence_annotators as (

    select
        corpus,
        sentence_id,
        count(distinct annotator) as n_annotators,
        max(n_edits) as max_edits

    from {{ ref('lattice_chains') }}
    where corpus in ('conll14', 'conll14_published')
    group by all

),

sentences as (

    select
        corpus,
        max(n_annotators) as max_annotators,
        -- Figure 5 ends at 17 edits.
        count(*) filter (where max_edits > 17) as n_outliers

    from sentence_annotators
    group by all

),

error_types as (

    select
        corpus,
        count(distinct error_type) as n_types

    from {{ ref('annotation_edits') }}
    where corpus in ('conll14', 'conll14_published') and is_in_lattice
    group by all

),

reference_counts as (

    select
        lattices.corpus,
        max(reference_lists.n_references) as n_references

    from lattices
    inner join {{ ref('reference_lists') }} as reference_lists
        on
            lattices.reference_set = reference_lists.reference_set
            and lattices.corpus = reference_lists.corpus
    group by all

),

corpus_models as (

    select
        corpus,
        count(distinct expected_edits) as n_models

    from {{ ref('sampled_corpora') }}
    where corpus in ('conll14', 'conll14_published')
    group by all

),

gleu_pairs as (

    select
        corpus,
        -- Of scores in 0..1.
        {{ exact_mean('delta', '1.0') }} as mean_delta

    from {{ ref('scored_pairs') }}
    where
        corpus in ('conll14', 'conll14_published')
        and experiment = 'random_source' and metric = 'gleu'
    group by all

),

correlations as (

    select
        corpus,
        pearson_r

    from {{ ref('sentence_correlations') }}
    where
        corpus in ('conll14', 'conll14_published')
        and experiment = 'random_source' and metric = 'ibleu'

),

by_run as (

    select
        corpus,
        'sentences_in_chains' as row_label,
        'count' as column_label,
        n_nodes::double as value
    from positions
    union all
    select
        corpus,
        'chains' as row_label,
        'count' as column_label,
        n_chains::double as value
    from positions
    union all
    select
        corpus,
        'annotations_per_sentence' as row_label,
        'count' as column_label,
        max_annotators::double as value
    from sentences
    union all
    select
        corpus,
        'figure_5_outliers' as row_label,
        'count' as column_label,
        n_outliers::double as value
    from sentences
    union all
    select
        corpus,
        'edit_types' as row_label,
        'count' as column_label,
        n_types::double as value
    from error_types
    union all
    select
        corpus,
        'metric_references' as row_label,
        'count' as column_label,
        n_references::double as value
    from reference_counts
    union all
    select
        corpus,
        'corpus_models' as row_label,
        'count' as column_label,
        n_models::double as value
    from corpus_models
    union all
    select
        corpus,
        'mean_gleu_difference' as row_label,
        'value' as column_label,
        mean_delta as value
    from gleu_pairs
    union all
    select
        corpus,
        'ibleu_sentence_r' as row_label,
        'value' as column_label,
        pearson_r as value
    from correlations

),

-- Facts of the data, the same in both runs.
edits as (

    select
        *,
        coalesce(
            start_token < lag(end_token) over (
                partition by annotator, sentence_id order by start_token, end_token, edit_index
            ),
            false
        ) as overlaps_previous

    from {{ ref('annotated_edits') }}
    where corpus = 'conll14' and annotation_set = 'bn10' and kind <> 'none'

),

of_data as (

    select
        'overlapping_edit_cases' as row_label,
        count(*)::double as value
    from edits
    where overlaps_previous
    having count(*) > 0
    union all
    select
        'annotated_edits' as row_label,
        count(*)::double as value
    from edits
    having count(*) > 0
    union all
    select
        'original_sentences' as row_label,
        n_sentences::double as value
    from {{ source('raw', 'corpora') }}
    where corpus = 'conll14'

),

-- The run cut the binomial's n to a whole number, so its ten variances average less than 0.9.
variances as (

    select
        avg(
            floor(expected_edits / ((expected_edits - 0.9) / expected_edits))
            * ((expected_edits - 0.9) / expected_edits)
            * (0.9 / expected_edits)
        ) as published_variance,
        avg(variance) as paper_variance

    from (
        select
            expected_edits,
            sum(n_edits ^ 2 * probability) - sum(n_edits * probability) ^ 2 as variance

        from {{ ref('corpus_model_edit_counts') }}
        where expected_edits > 0
        group by expected_edits
    )

)

select
    'text' as exhibit,
    row_label,
    column_label,
    max(value) filter (where corpus = 'conll14_published') as reproduced,
    max(value) filter (where corpus = 'conll14') as corrected

from by_run
group by all

union all

select
    'text' as exhibit,
    row_label,
    'count' as column_label,
    value as reproduced,
    value as corrected

from of_data

union all

select
    'text' as exhibit,
    'edit_count_variance' as row_label,
    'value' as column_label,
    round(published_variance, 12) as reproduced,
    round(paper_variance, 12) as corrected

from variances
where exists (select 1 from lattices)
