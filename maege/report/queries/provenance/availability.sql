select metric, corpus, reason, remedy
from metric_availability
where not is_available
order by reason = 'left out by the variable metrics', corpus nulls first, metric
