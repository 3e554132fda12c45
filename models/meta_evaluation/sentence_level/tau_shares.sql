-- How much there is to judge of each metric, and which metrics have no rank by tau. A metric that
-- scores few pairs may have scored the easy ones. A metric that reads what the lattice's own
-- annotator wrote knows the end of the chain. Chance is no metric.
with

pair_counts as (

    select * from {{ ref('outcome_counts') }}
    where question = 'all_pairs'

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
        sum(pair_counts.n_tied) / sum(pair_counts.n_pairs) as tied_share,
        sum(pair_counts.n_pairs) / any_value(asked.n_pairs) as pair_coverage

    from pair_counts
    inner join asked using (corpus, mode)
    group by all

),

named as (

    select
        shares.*,
        case
            when starts_with(shares.metric, 'chance_') then 'chance'
            when {{ is_self_referenced('shares.metric', 'origins.references_mode') }}
                then 'self-referenced'
            when shares.pair_coverage < {{ var('least_pair_coverage') }} then 'few pairs'
        end as no_rank

    from shares
    inner join {{ ref('lattice_origins') }} as origins
        on
            shares.corpus = origins.corpus
            and shares.mode = origins.mode

)

select * from named
