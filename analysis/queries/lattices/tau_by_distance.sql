-- Does a metric order corrections better the more edits lie between them? Kendall's tau for partial
-- orders (kendall_partial, a tie counts as half), for pairs of a chain that are one, two, three or
-- more edits apart.
with

scores as (

    select * from main.node_scores
    where experiment = 'random_source' and score is not null

),

-- A chain adds one edit at each position.
pairs as (

    select
        lower_nodes.corpus,
        lower_nodes.metric,
        lower_nodes.score as lower_score,
        upper_nodes.score as upper_score,
        upper_nodes.position - lower_nodes.position as n_edits_between

    from scores as lower_nodes
    inner join scores as upper_nodes
        on
            lower_nodes.corpus = upper_nodes.corpus
            and lower_nodes.chain_id = upper_nodes.chain_id
            and lower_nodes.metric = upper_nodes.metric
            and lower_nodes.position < upper_nodes.position

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
