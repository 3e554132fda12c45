select substr(fact, length('variable ') + 1) as variable, value
from publication
where starts_with(fact, 'variable ')
order by variable
