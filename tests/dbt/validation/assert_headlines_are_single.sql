-- Exactly one row per metric and question is the headline.
{% set questions = {
    'sentence_correlations': 'corpus, metric',
    'corpus_correlations': 'corpus, metric',
    'corrupted_edit_agreement': 'corpus, metric',
    'human_correlations': 'corpus, judgment_set, metric',
    'sentence_agreement': 'corpus, judgment_set, task, aspect, metric',
    'system_scores': 'corpus, system, metric',
} %}
{% for mart, question in questions.items() %}
    select
        '{{ mart }}' as mart,
        ({{ question }})::varchar as question,
        count(*) filter (where is_headline) as n_headlines

    from {{ ref(mart) }}
    group by {{ question }}
    having n_headlines <> 1
    {{ "union all" if not loop.last }}
{% endfor %}
