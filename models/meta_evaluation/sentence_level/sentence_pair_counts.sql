-- Pair counts of each source sentence: the unit that bootstraps redraw.
select
    corpus,
    mode,
    experiment,
    metric,
    sentence_id,
    {{ outcome_counts('outcome') }}

from {{ ref('scored_pairs') }}
group by all
