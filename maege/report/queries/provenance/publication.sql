select fact, value
from publication
where fact <> 'build_key' and not starts_with(fact, 'variable ')
