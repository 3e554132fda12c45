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
    count(*) filter (where outcome = 'concordant') as n_concordant,
    count(*) filter (where outcome = 'discordant') as n_discordant,
    count(*) filter (where outcome = 'tied') as n_tied

from pairs
group by all
