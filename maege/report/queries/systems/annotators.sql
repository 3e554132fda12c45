select
    corpus, annotation_set, annotator, n_asked, n_silent, n_corrections,
    n_corrections / nullif(n_asked, 0) as corrections_per_sentence
from annotators
order by corpus, annotation_set, annotator
