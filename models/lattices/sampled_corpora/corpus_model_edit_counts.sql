-- The distribution of the number of edits that a corpus model applies to a sentence (section 5 of
-- the paper): mean M and variance 0.9, as a cumulative distribution over k. No single binomial with
-- an integer n has both moments, so two neighbours, n and n + 1, are mixed. M = 0 applies no edits;
-- a binomial with a mean below 1 has no variance of 0.9, and a mask holds 62 edits.
{% set variance = 0.9 %}

with

listed as (

    select unnest({{ var('corpus_models') }})::double as expected_edits

),

models as (

    select
        expected_edits,
        -- The epsilon protects an integer n: 1 / (1 - 0.9) is 10.000000000000002.
        floor(expected_edits ^ 2 / (expected_edits - {{ variance }}) + 1e-9)::integer as n_trials

    from listed
    where expected_edits > 0

),

weighted as (

    select
        expected_edits,
        n_trials,
        expected_edits * (1 - expected_edits / n_trials) as lower_variance,
        expected_edits * (1 - expected_edits / (n_trials + 1)) as upper_variance

    from models

),

binomials as (

    select
        expected_edits,
        n_trials,
        (upper_variance - {{ variance }}) / (upper_variance - lower_variance) as weight

    from weighted

    union all

    select
        expected_edits,
        n_trials + 1 as n_trials,
        ({{ variance }} - lower_variance) / (upper_variance - lower_variance) as weight

    from weighted

),

probabilities as (

    select
        binomials.expected_edits,
        counts.n_edits,
        sum(
            binomials.weight
            * gamma(binomials.n_trials + 1)
            / gamma(counts.n_edits + 1)
            / gamma(binomials.n_trials - counts.n_edits + 1)
            * (binomials.expected_edits / binomials.n_trials) ^ counts.n_edits
            * (1 - binomials.expected_edits / binomials.n_trials)
            ^ (binomials.n_trials - counts.n_edits)
        ) as probability

    from binomials
    inner join range(0, 64) as counts (n_edits) on binomials.n_trials >= counts.n_edits
    group by all

    union all

    select
        0.0 as expected_edits,
        0 as n_edits,
        1.0 as probability

    where {{ 'true' if 0 in var('corpus_models') else 'false' }}

)

select
    expected_edits,
    n_edits::integer as n_edits,
    probability,
    -- Exactly 1 at the end, so that every draw below 1 finds its count.
    if(
        n_edits = max(n_edits) over (partition by expected_edits),
        1.0,
        round(sum(probability) over (
            partition by expected_edits
            order by n_edits
            rows between unbounded preceding and current row
        ), 12)
    ) as cumulative

from probabilities
