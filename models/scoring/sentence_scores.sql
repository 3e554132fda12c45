-- The score of every selected metric for every (source, hypothesis, references), from stored
-- statistics alone. Formulas: macros/sufficient_statistics.sql.
--
-- published_score is what the published MAEGE run made of the same pair. It differs where a
-- reference is empty: the run let BLEU compare no more orders than the shortest reference has
-- words, empty references included, and BLEU of no order at all is 0.
with

pairs as (

    select * from {{ ref('scoring_pairs') }}

),

selected_metrics as (

    select distinct metric from {{ ref('metric_registry') }}
    where is_selected

),

signatures as (

    select distinct signature_key from {{ ref('metric_registry') }}
    where is_selected

),

current_statistics as (

    select cached.*
    from {{ ref('metric_statistics') }} as cached
    inner join signatures on cached.signature_key = signatures.signature_key

),

empty_references as (

    select distinct references_key
    from {{ ref('reference_lists') }}
    where has_empty_reference

),

-- Scored once for each distinct input, before pairs multiply them.
bleu_scores as (

    select
        hypothesis_text_id,
        references_key,
        {{ sentence_bleu('bleu') }} as bleu

    from current_statistics
    where family = 'bleu'

),

source_bleu_scores as (

    select
        source_text_id,
        hypothesis_text_id,
        {{ sentence_bleu('source_bleu') }} as source_bleu

    from current_statistics
    where family = 'source_bleu'

),

gleu_scores as (

    select
        source_text_id,
        hypothesis_text_id,
        references_key,
        list_avg({{ for_each_reference('gleu', sentence_gleu('penalty')) }}) as gleu,
        list_avg(
            {{ for_each_reference('gleu', sentence_gleu('difference_penalty')) }}
        ) as gleu_equation

    from current_statistics
    where family = 'gleu'

),

sari_scores as (

    select
        source_text_id,
        hypothesis_text_id,
        references_key,
        (
            {{ statistic('sari', 'keep') }}
            + {{ statistic('sari', 'delete') }}
            + {{ statistic('sari', 'add') }}
        ) / 3 as sari

    from current_statistics
    where family = 'sari'

),

max_sari_scores as (

    select
        source_text_id,
        hypothesis_text_id,
        references_key,
        list_max({{ for_each_reference(
            'sari_single',
            "(" ~ statistic('sari_single', 'keep', 'reference')
            ~ " + " ~ statistic('sari_single', 'delete', 'reference')
            ~ " + " ~ statistic('sari_single', 'add', 'reference') ~ ") / 3"
        ) }}) as max_sari

    from current_statistics
    where family = 'sari_single'

),

ld_scores as (

    select
        source_text_id,
        hypothesis_text_id,
        {{ similarity(
            statistic('source_distance', 'distance'),
            statistic('source_distance', 'source_length')
        ) }} as ld

    from current_statistics
    where family = 'source_distance'

),

min_ld_scores as (

    select
        hypothesis_text_id,
        references_key,
        list_max({{ for_each_reference(
            'reference_distance',
            similarity(
                statistic('reference_distance', 'distance', 'reference'),
                statistic('reference_distance', 'reference_length', 'reference')
            )
        ) }}) as min_ld

    from current_statistics
    where family = 'reference_distance'

),

scored_pairs as (

    select
        pairs.pair_id,
        empty_references.references_key is not null as has_empty_reference,
        0.2 * source_bleu_scores.source_bleu as source_share,
        bleu_scores.bleu,
        0.8 * bleu_scores.bleu + 0.2 * source_bleu_scores.source_bleu as ibleu,
        0.8 * bleu_scores.bleu - 0.2 * source_bleu_scores.source_bleu as ibleu_minus,
        gleu_scores.gleu,
        gleu_scores.gleu_equation,
        sari_scores.sari,
        max_sari_scores.max_sari,
        min_ld_scores.min_ld,
        ld_scores.ld

    from pairs
    left join bleu_scores
        on
            pairs.hypothesis_text_id = bleu_scores.hypothesis_text_id
            and pairs.references_key = bleu_scores.references_key
    left join source_bleu_scores
        on
            pairs.source_text_id = source_bleu_scores.source_text_id
            and pairs.hypothesis_text_id = source_bleu_scores.hypothesis_text_id
    left join gleu_scores
        on
            pairs.source_text_id = gleu_scores.source_text_id
            and pairs.hypothesis_text_id = gleu_scores.hypothesis_text_id
            and pairs.references_key = gleu_scores.references_key
    left join sari_scores
        on
            pairs.source_text_id = sari_scores.source_text_id
            and pairs.hypothesis_text_id = sari_scores.hypothesis_text_id
            and pairs.references_key = sari_scores.references_key
    left join max_sari_scores
        on
            pairs.source_text_id = max_sari_scores.source_text_id
            and pairs.hypothesis_text_id = max_sari_scores.hypothesis_text_id
            and pairs.references_key = max_sari_scores.references_key
    left join ld_scores
        on
            pairs.source_text_id = ld_scores.source_text_id
            and pairs.hypothesis_text_id = ld_scores.hypothesis_text_id
    left join min_ld_scores
        on
            pairs.hypothesis_text_id = min_ld_scores.hypothesis_text_id
            and pairs.references_key = min_ld_scores.references_key
    left join empty_references on pairs.references_key = empty_references.references_key

),

long_scores as (

    unpivot scored_pairs
    on columns(* exclude (pair_id, has_empty_reference, source_share))
    into name metric value score

)

select
    long_scores.pair_id,
    long_scores.metric,
    long_scores.score,
    case
        when not long_scores.has_empty_reference then long_scores.score
        when long_scores.metric = 'bleu' then 0.0
        when long_scores.metric = 'ibleu' then long_scores.source_share
        when long_scores.metric = 'ibleu_minus' then -long_scores.source_share
        else long_scores.score
    end as published_score

from long_scores
inner join selected_metrics on long_scores.metric = selected_metrics.metric
