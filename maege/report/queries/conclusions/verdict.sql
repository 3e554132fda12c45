with

of_sentences as (

    select
        corpus, metric, kendall_tau_a, ci_low, ci_high, tied_share, verdict, rank, no_rank
    from sentence_correlations
    where experiment = 'random_source'

),

corpora_drawn as (

    select corpus, metric, draws_median, draws_low, draws_high,
        chance_low as draws_chance_low, chance_high as draws_chance_high
    from corpus_correlations
    where experiment = 'random_source'

),

wrong_edits as (

    select
        corpus, metric, agreement,
        ci_low as agreement_low, ci_high as agreement_high
    from corrupted_edit_agreement
    where error_type is null and agreement is not null

),

-- The largest judgment set, and the reference set used to score artificial outputs.
judged as (

    select corpus, arg_max(judgment_set, n_judgments) as judgment_set
    from (
        select corpus, judgment_set, sum(n_judgments) as n_judgments
        from human_scores
        where method = 'trueskill' and system_set = 'base'
        group by corpus, judgment_set
        order by judgment_set
    )
    group by corpus

),

{references_shown: human_correlations},

judges as (

    select
        corpus, metric, judgment_set, reference_set, n_systems,
        pearson_r, pearson_ci_low, pearson_ci_high,
        chance_low as judges_chance_low, chance_high as judges_chance_high
    from human_correlations
    inner join judged using (corpus, judgment_set)
    inner join references_shown using (corpus, reference_set)
    where
        method = 'trueskill' and system_set = 'base' and sentence_set = 'judged'
        and resampled = 'both' and pearson_r is not null

)

select *
from of_sentences
full outer join corpora_drawn using (corpus, metric)
full outer join wrong_edits using (corpus, metric)
full outer join judges using (corpus, metric)
order by corpus, rank nulls last, kendall_tau_a desc, pearson_r desc, metric
