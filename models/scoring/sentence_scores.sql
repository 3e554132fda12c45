-- The score of every selected metric for every (source, hypothesis, references), from stored
-- statistics alone. Formulas: macros/sufficient_statistics.sql.
--
-- published_score is what the published MAEGE run made of the same pair. It differs where a
-- reference is empty: the run let BLEU compare no more orders than the shortest reference has
-- words, empty references included, and BLEU of no order at all is 0. And its I-measure was the
-- weighted accuracy, without the source's own to compare with.
with

inputs as (

    select * from {{ ref('scoring_inputs') }}

),

selected_metrics as (

    select distinct
        metric,
        direction

    from {{ ref('metric_registry') }}
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

m2_scores as (

    select
        source_text_id,
        hypothesis_text_id,
        references_key as gold_key,
        list_max({{ for_each_reference('m2', sentence_f_score(
            statistic('m2', 'tp', 'reference'),
            statistic('m2', 'proposed', 'reference'),
            statistic('m2', 'gold', 'reference')
        )) }}) as m2

    from current_statistics
    where family = 'm2'

),

errant_scores as (

    select
        hypothesis_text_id as edits_key,
        references_key as typed_gold_key,
        list_max({{ for_each_reference('errant', sentence_f_score(
            statistic('errant', 'tp', 'reference'),
            "(" ~ statistic('errant', 'tp', 'reference')
            ~ " + " ~ statistic('errant', 'fp', 'reference') ~ ")",
            "(" ~ statistic('errant', 'tp', 'reference')
            ~ " + " ~ statistic('errant', 'fn', 'reference') ~ ")"
        )) }}) as errant

    from current_statistics
    where family = 'errant'

),

imeasure_scores as (

    select
        source_text_id,
        hypothesis_text_id,
        references_key as gold_key,
        {{ weighted_accuracy('imeasure', 'correction') }} as accuracy,
        {{ improvement(
            weighted_accuracy('imeasure', 'correction'),
            weighted_accuracy('imeasure', 'base_correction')
        ) }} as imeasure

    from current_statistics
    where family = 'imeasure'

),

imeasure_mix_scores as (

    select
        source_text_id,
        hypothesis_text_id,
        references_key as gold_key,
        {{ weighted_accuracy('imeasure_mix', 'correction') }} as mixed_accuracy,
        {{ improvement(
            weighted_accuracy('imeasure_mix', 'correction'),
            weighted_accuracy('imeasure_mix', 'base_correction')
        ) }} as imeasure_mix

    from current_statistics
    where family = 'imeasure_mix'

),

scored_pairs as (

    select
        inputs.pair_id,
        empty_references.references_key is not null as has_empty_reference,
        0.2 * source_bleu_scores.source_bleu as source_share,
        imeasure_scores.accuracy,
        imeasure_mix_scores.mixed_accuracy,
        bleu_scores.bleu,
        0.8 * bleu_scores.bleu + 0.2 * source_bleu_scores.source_bleu as ibleu,
        0.8 * bleu_scores.bleu - 0.2 * source_bleu_scores.source_bleu as ibleu_minus,
        gleu_scores.gleu,
        gleu_scores.gleu_equation,
        sari_scores.sari,
        max_sari_scores.max_sari,
        min_ld_scores.min_ld,
        ld_scores.ld,
        m2_scores.m2,
        errant_scores.errant,
        imeasure_scores.imeasure,
        imeasure_mix_scores.imeasure_mix

    from inputs
    left join bleu_scores
        on
            inputs.hypothesis_text_id = bleu_scores.hypothesis_text_id
            and inputs.references_key = bleu_scores.references_key
    left join source_bleu_scores
        on
            inputs.source_text_id = source_bleu_scores.source_text_id
            and inputs.hypothesis_text_id = source_bleu_scores.hypothesis_text_id
    left join gleu_scores
        on
            inputs.source_text_id = gleu_scores.source_text_id
            and inputs.hypothesis_text_id = gleu_scores.hypothesis_text_id
            and inputs.references_key = gleu_scores.references_key
    left join sari_scores
        on
            inputs.source_text_id = sari_scores.source_text_id
            and inputs.hypothesis_text_id = sari_scores.hypothesis_text_id
            and inputs.references_key = sari_scores.references_key
    left join max_sari_scores
        on
            inputs.source_text_id = max_sari_scores.source_text_id
            and inputs.hypothesis_text_id = max_sari_scores.hypothesis_text_id
            and inputs.references_key = max_sari_scores.references_key
    left join ld_scores
        on
            inputs.source_text_id = ld_scores.source_text_id
            and inputs.hypothesis_text_id = ld_scores.hypothesis_text_id
    left join min_ld_scores
        on
            inputs.hypothesis_text_id = min_ld_scores.hypothesis_text_id
            and inputs.references_key = min_ld_scores.references_key
    left join m2_scores
        on
            inputs.source_text_id = m2_scores.source_text_id
            and inputs.hypothesis_text_id = m2_scores.hypothesis_text_id
            and inputs.gold_key = m2_scores.gold_key
    left join errant_scores
        on
            inputs.edits_key = errant_scores.edits_key
            and inputs.typed_gold_key = errant_scores.typed_gold_key
    left join imeasure_scores
        on
            inputs.source_text_id = imeasure_scores.source_text_id
            and inputs.hypothesis_text_id = imeasure_scores.hypothesis_text_id
            and inputs.gold_key = imeasure_scores.gold_key
    left join imeasure_mix_scores
        on
            inputs.source_text_id = imeasure_mix_scores.source_text_id
            and inputs.hypothesis_text_id = imeasure_mix_scores.hypothesis_text_id
            and inputs.gold_key = imeasure_mix_scores.gold_key
    left join empty_references on inputs.references_key = empty_references.references_key

),

long_scores as (

    unpivot scored_pairs
    on columns(* exclude (
        pair_id, has_empty_reference, source_share, accuracy, mixed_accuracy
    ))
    into name metric value score

),

-- The score of a metric of the user's own is its only statistic; not every input need have one.
own_scores as (

    select * from {{ ref('own_pairs') }}
    where score is not null

)

select
    long_scores.pair_id,
    long_scores.metric,
    selected_metrics.direction,
    long_scores.score,
    case
        when long_scores.metric = 'imeasure' then long_scores.accuracy
        when long_scores.metric = 'imeasure_mix' then long_scores.mixed_accuracy
        when not long_scores.has_empty_reference then long_scores.score
        when long_scores.metric = 'bleu' then 0.0
        when long_scores.metric = 'ibleu' then long_scores.source_share
        when long_scores.metric = 'ibleu_minus' then -long_scores.source_share
        else long_scores.score
    end as published_score

from long_scores
inner join selected_metrics on long_scores.metric = selected_metrics.metric

union all

select
    own_scores.pair_id,
    own_scores.metric,
    selected_metrics.direction,
    own_scores.score,
    own_scores.score as published_score

from own_scores
inner join selected_metrics on own_scores.metric = selected_metrics.metric
