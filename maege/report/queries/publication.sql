select fact, value
from publication
where not starts_with(fact, 'variable ')
