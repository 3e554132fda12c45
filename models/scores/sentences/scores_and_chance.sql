-- Sentence scores, and beside them what no metric at all would give: one score for every pair, a
-- random number, the number of the hypothesis's characters (as among human rankings,
-- judged_sentence_scores.sql). What metrics are judged by reads this, so that chance is judged as
-- they are.
with

pairs as (

    select distinct
        pair_id,
        hypothesis_text_id

    from {{ ref('scoring_pairs') }}
    where not is_adversarial

),

chance as (

    select
        pairs.pair_id,
        kinds.metric,
        {{ chance_score('kinds.metric', 'length(rtrim(texts.text))', ['pairs.pair_id']) }} as score

    from pairs
    inner join {{ ref('texts') }} as texts on pairs.hypothesis_text_id = texts.text_id
    cross join {{ chance_kinds() }} as kinds (metric)

)

select
    pair_id,
    metric,
    direction,
    score,
    published_score

from {{ ref('sentence_scores') }}

union all

select
    pair_id,
    metric,
    1 as direction,
    score,
    score as published_score

from chance
