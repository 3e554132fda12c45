-- Pairwise comparisons of the systems of a corpus by every metric, in alphabetical order: the
-- difference, its interval and its test.
with

pairs as (

    select
        corpus,
        reference_set,
        metric,
        system as system_a,
        n_sentences,
        unnest(compared) as compared

    from {{ ref('system_corpus_scores') }}

)

select
    pairs.corpus,
    pairs.reference_set,
    pairs.metric,
    pairs.system_a,
    pairs.compared.system as system_b,
    pairs.n_sentences,
    pairs.compared.difference,
    pairs.compared.ci_low,
    pairs.compared.ci_high,
    pairs.compared.p_value,
    pairs.compared.q_value,
    pairs.compared.p_holm,
    {{ var('test_resamples') }} as n_resamples,
    {{ too_few('sentences', 'pairs.n_sentences') }} as too_few

from pairs
