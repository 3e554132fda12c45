-- Mean score of the originals by the number of errors that an annotator found in them (Figure 5):
-- does a metric compare different sentences sensibly?.
select
    corpus,
    mode,
    experiment,
    metric,
    n_errors,
    n_chains,
    mean_score,
    lattices_from,
    references_mode

from {{ ref('error_count_scores') }}
