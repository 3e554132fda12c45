select metric, version, inputs, source, signature
from metrics
order by metric
