select fact, value
from publication
