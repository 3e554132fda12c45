-- Pair counts of each source sentence: the unit that bootstraps redraw.
with

pairs as (

    select * from {{ ref('scored_pairs') }}

)

select
    corpus,
    mode,
    experiment,
    metric,
    sentence_id,
    {{ outcome_counts('outcome') }}

from pairs
group by all
