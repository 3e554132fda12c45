-- What stands beside real metrics to show how far chance gets: one score for all, a random number,
-- the number of characters, white space at the end left out.
with

outputs as (

    select * from {{ ref('usable_outputs') }}

),

judged_corpora as (

    select distinct corpus from {{ ref('judgment_set_members') }}

)

select
    outputs.corpus,
    outputs.system,
    outputs.sentence_id,
    chance.metric,
    {{ chance_score(
        'chance.metric',
        'outputs.n_characters',
        ['outputs.corpus', 'outputs.system', 'outputs.sentence_id']
    ) }} as score

from outputs
inner join judged_corpora on outputs.corpus = judged_corpora.corpus
cross join {{ chance_kinds() }} as chance (metric)
