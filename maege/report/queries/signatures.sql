select name as metric, version, inputs, source, signature
from metrics
order by name, signature
