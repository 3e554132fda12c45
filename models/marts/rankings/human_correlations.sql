-- Correlations of the metrics' scores of systems with the judges', and those of chance baselines.
{%- set family = "corpus, judgment_set, method, reference_set, sentence_set, system_set, "
    ~ "resampled, starts_with(metric, 'chance_')" %}
with

correlations as (

    select
        *,
        {{ p_rank('pearson_p_value', family) }} as pearson_test_rank,
        {{ p_rank('spearman_p_value', family) }} as spearman_test_rank

    from {{ ref('human_metric_correlations') }}

)

select
    * exclude (systems, scores, pearson_test_rank, spearman_test_rank),
    {{ has_default_references() }}
    and method = 'trueskill' and sentence_set = 'judged' and resampled = 'both'
    and {{ is_chosen_system_set() }} as is_headline,
    {{ q_value('pearson_p_value', 'pearson_test_rank', family) }} as pearson_q_value,
    {{ q_value('spearman_p_value', 'spearman_test_rank', family) }} as spearman_q_value

from correlations
