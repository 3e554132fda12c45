-- What an oracle takes from k-best lists beside more and more references.
select
    corpus,
    reference_set,
    system,
    mode,
    metric,
    n_references,
    n_sentences,
    unchanged,
    unchanged_low,
    unchanged_high,
    words_changed

from {{ ref('reranked_outputs') }}
