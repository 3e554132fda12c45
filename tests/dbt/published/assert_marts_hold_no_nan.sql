-- Undefined numbers are NULL, because NaN and infinity sort above all numbers. Every mart with
-- numbers is listed here, because dbt has to know the dependencies of a test; except
-- system_statistics, a view over many rows that excludes NaN itself.
{%- set marts = [
    'adjusted_scores', 'adversarial_scores', 'best_metrics', 'correction_distributions',
    'correction_profiles',
    'correction_validity', 'corpus_comparisons', 'corpus_correlations', 'corpus_draws', 'coverage',
    'discordant_pairs', 'edit_metric_scores',
    'human_correlations', 'human_scores', 'corrupted_edit_agreement', 'judge_agreement',
    'metric_cards', 'metric_comparisons', 'node_scores',
    'oracle_reranking', 'perfect_corrector_scores', 'ranking_stability', 'references_needed',
    'replication',
    'scores_by_error_count', 'sentence_agreement', 'sentence_correlations', 'system_comparisons',
    'system_scores', 'system_sentence_scores', 'type_deltas', 'type_ratios',
    'type_scores',
    'edit_verdicts', 'preferences', 'rating_correlations', 'ratings', 'task_aspects',
    'verdict_agreement', 'edit_validity', 'tau_by_agreement', 'step_preferences',
] + (['weight_surface'] if var('replication') else []) %}
with

counts as (

    select
        'nothing' as mart,
        'nothing' as number,
        0 as n_not_finite
    {%- for name in marts %}
        {%- set relation = ref(name) %}
        {%- for column in numbers_of(name) %}
            union all
            select
                '{{ name }}' as mart,
                '{{ column }}' as number,
                count(*) filter (where not isfinite({{ column }})) as n_not_finite
            from {{ relation }}
        {%- endfor %}
    {%- endfor %}
    {%- for name in marts_with_numbers() if name not in marts + ['system_statistics'] %}
    union all
    select
        '{{ name }}' as mart,
        'not listed in this test' as number,
        null as n_not_finite
    {%- endfor %}

)

select * from counts
where n_not_finite is distinct from 0
