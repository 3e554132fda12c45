-- Kappa of every two judges, of each judge with themselves, and of all.
select
    corpus,
    judgment_set,
    kind,
    judge_a,
    judge_b,
    n_compared,
    observed,
    expected,
    kappa

from {{ ref('judge_kappas') }}
