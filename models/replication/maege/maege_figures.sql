-- Figures 1 and 5 of the MAEGE paper, recomputed: how many references the I-measure's mixing
-- implies, over the sources of all chain positions and those of the sampled corpora together, and
-- the mean GLEU of the originals by their number of edits.
with

counts as (

    select
        corpus,
        median(n_references) as median,
        -- In order: numbers up to 10^39 lose digits by the order in which threads add them.
        list_avg(list(n_references order by n_references)) as mean

    from {{ ref('mixture_counts') }}
    where corpus in ('conll14', 'conll14_published') and experiment = 'random_source'
    group by corpus

),

statistics as (

    unpivot counts on median, mean into name column_label value n_references

),

scores as (

    select * from {{ ref('scores_by_error_count') }}
    where
        corpus in ('conll14', 'conll14_published')
        and experiment = 'random_source' and metric = 'gleu'

)

select
    'figure_1' as exhibit,
    'references_per_sentence' as row_label,
    column_label,
    max(n_references) filter (where corpus = 'conll14_published') as reproduced,
    max(n_references) filter (where corpus = 'conll14') as corrected

from statistics
group by column_label

union all

select
    'figure_5' as exhibit,
    n_errors::varchar as row_label,
    'mean_gleu' as column_label,
    max(mean_score) filter (where corpus = 'conll14_published') as reproduced,
    max(mean_score) filter (where corpus = 'conll14') as corrected

from scores
group by n_errors
