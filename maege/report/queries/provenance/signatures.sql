select metric, version, inputs, source, signature
from metrics
where is_selected
order by metric
