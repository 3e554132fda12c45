-- One row per distinct combination of texts and edits that some table needs a score for. Corpus and
-- sentence only tell which pairs share their words and are best scored together.
--
-- gold_key, typed_gold_key and edits_key name edits that came from files: the gold of an annotated
-- reference set, the same with ERRANT's types, and a tool's edits of the hypothesis. They are 0
-- if edits have to be extracted from texts. outputs_key names the list of all system outputs of the
-- sentence, 0 if the corpus has none.
--
-- first_draw is the first of the draws of sampled corpora that need the score, 0 if another use
-- does.
{%- set after_all_draws = [var('corpus_draws'), var('edit_metric_draws')] | max %}
with

units as (

    select
        *,
        case
            when used_in = 'sampled_corpus' then draw
            when used_in = 'compared_lattice' and not has_edit_metrics then {{ after_all_draws }}
            else 0
        end as needed_from_draw

    from {{ ref('scored_units') }}

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
    min(needed_from_draw) as first_draw,
    min(needed_from_draw) < {{ var('edit_metric_draws') }} as has_edit_metrics,
    bool_and(used_in = 'adversarial') as is_adversarial,
    min(corpus) as corpus,
    min(sentence_id) as sentence_id

from units
group by all
