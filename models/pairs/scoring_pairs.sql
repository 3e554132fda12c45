-- Every distinct combination of texts and edits that some table needs a score for. Corpus and
-- sentence only say which pairs share their words and are best scored together.
--
-- gold_key, typed_gold_key and edits_key name edits that came from files: the gold of an annotated
-- reference set, the same with ERRANT's types, and what a tool found in the hypothesis. They are 0
-- where edits have to be extracted from texts. outputs_key names what all systems made of the
-- sentence, 0 where the corpus has none.
--
-- first_draw is the first of the draws of sampled corpora that need the score, 0 where something
-- else does; first_draw_in_paper the same without what mode as_published alone needs, NULL where
-- nothing is left.
{%- set after_all_draws = [var('corpus_draws'), var('edit_metric_draws')] | max %}
with

all_pairs as (

    select
        corpus,
        sentence_id,
        pair_id,
        source_text_id,
        hypothesis_text_id,
        references_key,
        0 as gold_key,
        0 as edits_key,
        0 as typed_gold_key,
        outputs_key,
        mode,
        0 as draw,
        false as is_adversarial
    from {{ ref('chain_pairs') }}
    union all
    select
        corpus,
        sentence_id,
        pair_id,
        source_text_id,
        hypothesis_text_id,
        references_key,
        0 as gold_key,
        0 as edits_key,
        0 as typed_gold_key,
        outputs_key,
        mode,
        draw,
        false as is_adversarial
    from {{ ref('corpus_pairs') }}
    union all
    select
        corpus,
        sentence_id,
        pair_id,
        source_text_id,
        hypothesis_text_id,
        references_key,
        0 as gold_key,
        0 as edits_key,
        0 as typed_gold_key,
        outputs_key,
        mode,
        0 as draw,
        false as is_adversarial
    from {{ ref('corrupted_pairs') }}
    union all
    select
        corpus,
        sentence_id,
        pair_id,
        source_text_id,
        hypothesis_text_id,
        references_key,
        0 as gold_key,
        0 as edits_key,
        0 as typed_gold_key,
        outputs_key,
        'paper' as mode,
        if(has_edit_metrics, 0, {{ after_all_draws }}) as draw,
        false as is_adversarial
    from {{ ref('compared_pairs') }}
    union all
    select
        corpus,
        sentence_id,
        pair_id,
        source_text_id,
        hypothesis_text_id,
        references_key,
        gold_key,
        edits_key,
        typed_gold_key,
        outputs_key,
        'paper' as mode,
        0 as draw,
        false as is_adversarial
    from {{ ref('system_pairs') }}
    union all
    select
        corpus,
        sentence_id,
        pair_id,
        source_text_id,
        hypothesis_text_id,
        references_key,
        gold_key,
        edits_key,
        typed_gold_key,
        outputs_key,
        'paper' as mode,
        0 as draw,
        true as is_adversarial
    from {{ ref('adversarial_pairs') }}

)

select
    pair_id,
    source_text_id,
    hypothesis_text_id,
    references_key,
    gold_key,
    edits_key,
    typed_gold_key,
    outputs_key,
    min(draw) as first_draw,
    min(draw) filter (where mode = 'paper') as first_draw_in_paper,
    min(draw) < {{ var('edit_metric_draws') }} as has_edit_metrics,
    bool_and(is_adversarial) as is_adversarial,
    min(corpus) as corpus,
    min(sentence_id) as sentence_id

from all_pairs
group by all
