-- What stands beside real metrics to show how far chance gets: one score for all, a random number,
-- the number of characters, white space at the end left out.
with

outputs as (

    select * from {{ ref('stg_corpus__outputs') }}

),

judged_corpora as (

    select distinct corpus from {{ ref('judgment_sets') }}

)

select
    outputs.corpus,
    outputs.system,
    outputs.sentence_id,
    chance.metric,
    case chance.metric
        when 'chance_constant' then 1.0
        when 'chance_length' then outputs.n_characters
        else
            {{ uniform(
                'chance_score', ['outputs.corpus', 'outputs.system', 'outputs.sentence_id']
            ) }}
    end as score

from outputs
inner join judged_corpora on outputs.corpus = judged_corpora.corpus
cross join (values ('chance_constant'), ('chance_length'), ('chance_random')) as chance (metric)
