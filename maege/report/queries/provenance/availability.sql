select metric, corpus, reason, remedy
from metric_availability
where not is_available
order by reason_code = 'not_selected', corpus nulls first, metric
