-- Scores of the sentences of systems in corpora with human rankings, larger being better for every
-- metric, with chance beside them.
with

scores as (

    select * from {{ ref('output_scores') }}

),

directions as (

    select * from {{ ref('metric_directions') }}

),

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

from scores
inner join directions on scores.metric = directions.metric
inner join judged_corpora on scores.corpus = judged_corpora.corpus

union all

select
    corpus,
    'none' as reference_set,
    metric,
    system,
    sentence_id,
    score

from {{ ref('chance_scores') }}
