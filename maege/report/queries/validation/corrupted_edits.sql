select
    corpus, metric, n_pairs, agreement, ci_low, ci_high,
    chance_q_value, strict_agreement, change_agreement
from corrupted_edit_agreement
where error_type is null and agreement is not null
order by corpus, agreement desc, metric
