-- How many corrections of a sentence have which frequency: as counted, as estimated, as released.
select
    corpus,
    mode,
    sentence_id,
    released_name,
    measure,
    estimator,
    frequency,
    variants,
    n_answers

from {{ ref('correction_frequencies') }}
