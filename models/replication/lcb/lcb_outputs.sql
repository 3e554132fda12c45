-- The paper on coverage, outputs: how many simplifications an oracle leaves unchanged: references
-- are drawn, `reproduced` is the mean over draws as the run made them, with their band, `corrected`
-- of all sentences, references drawn without replacement. Figure 1: the systems of CoNLL-2014 by
-- its scorer, and by ours.
with

all_choices as (

    select * from {{ ref('oracle_reranking') }}
    union all by name
    select
        *,
        true as is_published
    from {{ ref('published_reranking') }}

),

choices as (

    select * from all_choices
    where corpus = 'turkcorpus' and system = 'NTS' and reference_set = 'turk' and n_references > 0

),

exhibits as (

    select
        unnest(['max_sari', 'sari', 'max_sari']) as metric,
        unnest(['figure_9', 'figure_11', 'text']) as exhibit

),

published as (

    select * from choices
    where is_published

),

of_all as (

    select * from choices
    where is_published is null

),

reproduced as (

    unpivot {{ ref('lcb_systems') }} on precision, recall, f into name column_label value reproduced

),

scores as (

    select
        system,
        precision,
        recall,
        f_score as f

    from {{ ref('edit_metric_scores') }}
    where corpus = 'conll14' and reference_set = 'nucle' and metric = 'm2'

),

corrected as (

    unpivot scores on precision, recall, f into name column_label value corrected

)

select
    exhibits.exhibit,
    'unchanged_' || published.metric as row_label,
    'nisioi_m_' || published.n_references as column_label,
    published.unchanged as reproduced,
    of_all.unchanged as corrected,
    published.unchanged_low as band_low,
    published.unchanged_high as band_high

from published
inner join of_all using (metric, n_references)
inner join exhibits on published.metric = exhibits.metric
union all by name
select
    'figure_9' as exhibit,
    'sentences' as row_label,
    'nisioi' as column_label,
    max(n_sentences) filter (where is_published) as reproduced,
    max(n_sentences) filter (where is_published is null) as corrected
from choices
having count(*) > 0

union all by name

select
    'figure_1' as exhibit,
    reproduced.system as row_label,
    reproduced.column_label,
    reproduced.reproduced,
    corrected.corrected

from reproduced
left join corrected using (system, column_label)
