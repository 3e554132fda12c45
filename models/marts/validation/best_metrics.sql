-- Which metrics cannot be told from the best at each task?
{% for name in ('best_at_lattices', 'best_for_judges') %}
    select
        task,
        corpus,
        judgment_set,
        metric,
        estimate,
        ci_low,
        ci_high,
        best_share,
        in_best_set,
        n,
        n_needed,
        n_resamples,
        too_few

    from {{ ref(name) }}
    {{ 'union all' if not loop.last }}
{% endfor %}
