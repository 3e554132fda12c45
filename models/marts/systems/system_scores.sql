-- One score per system output, metric and reference set, with its interval and rank.
select
    corpus,
    reference_set,
    system,
    metric,
    corpus_score,
    mean_sentence_score,
    n_sentences,
    ci_low,
    ci_high,
    rank,
    rank_low,
    rank_high,
    too_few

from {{ ref('ranked_systems') }}
