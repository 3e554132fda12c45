-- Does a metric order corrections better the more edits lie between them? Kendall's tau for partial
-- orders (kendall_partial), for pairs of a chain that are one, two, three or more edits apart.
with

pairs as (

    select * from {{ ref('scored_pairs') }}
    where mode = 'paper' and experiment = 'random_source'

),

taus as (

    select
        corpus,
        metric,
        round(kendall_partial(
            list(lower_score) filter (where n_edits_between = 1),
            list(upper_score) filter (where n_edits_between = 1)
        ), 3) as one_edit,
        round(kendall_partial(
            list(lower_score) filter (where n_edits_between = 2),
            list(upper_score) filter (where n_edits_between = 2)
        ), 3) as two_edits,
        round(kendall_partial(
            list(lower_score) filter (where n_edits_between >= 3),
            list(upper_score) filter (where n_edits_between >= 3)
        ), 3) as more_edits,
        round(kendall_partial(list(lower_score), list(upper_score)), 3) as all_pairs

    from pairs
    group by all

)

select * from taus
order by corpus asc, all_pairs desc, metric asc
