-- The place of each metric by tau, among those that there is something to judge of: by the pairs of
-- sentences of which all of them have scored every pair. A tie counts as agreement, so that one
-- score for everything would be right everywhere; who scores few pairs may have easy ones; and
-- chance is no metric.
with

pair_counts as (

    select
        *,
        concordant + discordant + tied as n_pairs

    from {{ ref('sentence_pair_counts') }}

),

comparable as (

    select
        corpus,
        mode,
        sentence_id,
        count(*) as n_pairs

    from {{ ref('comparable_pairs') }}
    group by all

),

asked as (

    select
        corpus,
        mode,
        sum(n_pairs) as n_pairs

    from comparable
    group by all

),

shares as (

    select
        pair_counts.corpus,
        pair_counts.mode,
        pair_counts.experiment,
        pair_counts.metric,
        sum(pair_counts.tied) / sum(pair_counts.n_pairs) as tied_share,
        sum(pair_counts.n_pairs) / any_value(asked.n_pairs) as pair_coverage

    from pair_counts
    inner join asked
        on
            pair_counts.corpus = asked.corpus
            and pair_counts.mode = asked.mode
    group by all

),

named as (

    select
        *,
        case
            when starts_with(metric, 'chance_') then 'chance'
            when pair_coverage < {{ var('least_pair_coverage') }} then 'few pairs'
            when tied_share > {{ var('most_tied') }} then 'mostly ties'
        end as no_place

    from shares

),

placed as (

    select
        corpus,
        mode,
        experiment,
        metric,
        count(*) over (partition by corpus, mode, experiment) as n_places

    from named
    where no_place is null

),

placed_counts as (

    select
        pair_counts.*,
        placed.n_places,
        pair_counts.n_pairs = comparable.n_pairs as is_whole

    from pair_counts
    inner join placed
        on
            pair_counts.corpus = placed.corpus
            and pair_counts.mode = placed.mode
            and pair_counts.experiment = placed.experiment
            and pair_counts.metric = placed.metric
    inner join comparable
        on
            pair_counts.corpus = comparable.corpus
            and pair_counts.mode = comparable.mode
            and pair_counts.sentence_id = comparable.sentence_id

),

common as (

    select *
    from placed_counts
    qualify
        count_if(is_whole) over (partition by corpus, mode, experiment, sentence_id) = n_places

),

taus as (

    select
        corpus,
        mode,
        experiment,
        metric,
        n_places,
        sum(n_pairs)::bigint as n_common_pairs,
        1 - 2 * sum(discordant) / sum(n_pairs) as kendall_tau,
        sum(concordant - discordant) / nullif(sum(concordant + discordant), 0) as decisive_tau

    from common
    group by all

),

ranked as (

    select
        *,
        rank() over (
            partition by corpus, mode, experiment
            order by kendall_tau desc
        ) as place,
        rank() over (
            partition by corpus, mode, experiment
            order by decisive_tau desc
        ) as decisive_place

    from taus

)

select
    named.*,
    ranked.place,
    ranked.decisive_place,
    ranked.n_places,
    ranked.n_common_pairs

from named
left join ranked
    on
        named.corpus = ranked.corpus
        and named.mode = ranked.mode
        and named.experiment = ranked.experiment
        and named.metric = ranked.metric
