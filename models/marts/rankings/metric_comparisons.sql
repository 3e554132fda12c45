-- Tests of whether one metric is better than another, for all pairs of metrics.
select
    'system' as level,
    'judged' as sentence_set,
    'pearson_r' as measure,
    *

from {{ ref('metric_significance') }}

union all by name

select
    if(error_type is null, 'sentence', 'edit') as level,
    corpus,
    experiment,
    error_type,
    'kendall_tau_a' as measure,
    metric_a,
    metric_b,
    estimate_a,
    estimate_b,
    difference,
    ci_low,
    ci_high,
    p_value,
    q_value,
    'random_signs' as test,
    n_sentences as n,
    n_sentences,
    'sentences' as resampled,
    case sign(difference)
        when 1 then 'a'
        when -1 then 'b'
        else 'neither'
    end as direction,
    n_resamples,
    too_few

from {{ ref('tau_differences') }}
where difference is not null
