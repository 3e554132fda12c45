select
    corpus, mode, metric, n_pairs, agreement, ci_low, ci_high, strict_agreement, change_agreement
from invalid_edit_agreement
where error_type is null and agreement is not null
order by corpus, mode desc, agreement desc, metric
