-- What judges say of a crowd's corrections, by how many of the crowd wrote them.
select
    corpus,
    frequency,
    n_corrections,
    n_judgments,
    validity,
    ci_low,
    ci_high

from {{ ref('validity_shares') }}
