-- How the weighted sum of grammaticality, fluency and meaning correlates with judges, over a grid
-- of weights; and what the weights are worth that other judgments choose, of sets that share none.
with

grid as (

    select * from {{ ref('weight_correlations') }}

),

judgment_sets as (

    select * from {{ ref('judgment_set_members') }}

),

sharing as (

    select distinct
        one.corpus,
        one.judgment_set,
        other.judgment_set as other_judgment_set

    from judgment_sets as one
    inner join judgment_sets as other using (corpus, member)

),

best as (

    select
        *,
        'pearson' as chosen_by
    from grid
    where is_best_pearson
    union all
    select
        *,
        'spearman' as chosen_by
    from grid
    where is_best_spearman

),

transferred as (

    select
        grid.*,
        best.corpus as chosen_corpus,
        best.judgment_set as chosen_on,
        best.chosen_by

    from best
    inner join grid
        using (method, system_set, grammaticality_weight, fluency_weight, meaning_weight)
    anti join sharing
        on
            best.corpus = sharing.corpus
            and grid.corpus = sharing.corpus
            and best.judgment_set = sharing.judgment_set
            and grid.judgment_set = sharing.other_judgment_set

),

points as (

    select * from grid
    union all by name
    select * from transferred

)

select * from points
