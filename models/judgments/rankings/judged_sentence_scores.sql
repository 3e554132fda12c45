-- Sentence scores of systems in corpora with human rankings; larger is better for every metric.
-- Includes chance baselines: a constant, a random number, and the number of characters without
-- trailing white space.
with

judged_corpora as (

    select distinct corpus from {{ ref('judgment_set_members') }}

)

select
    scores.corpus,
    scores.reference_set,
    scores.metric,
    scores.system,
    scores.sentence_id,
    if(directions.higher_is_better, 1, -1) * scores.score as score

from {{ ref('system_sentence_scores') }} as scores
inner join {{ ref('metric_directions') }} as directions using (metric)
inner join judged_corpora using (corpus)

union all

select
    outputs.corpus,
    'none' as reference_set,
    chance.metric,
    outputs.system,
    outputs.sentence_id,
    {{ chance_score(
        'chance.metric',
        'outputs.n_characters',
        ['outputs.corpus', 'outputs.system', 'outputs.sentence_id']
    ) }} as score

from {{ ref('usable_outputs') }} as outputs
inner join judged_corpora using (corpus)
cross join {{ chance_kinds() }} as chance (metric)
