select
    feature,
    coefficient

from {{ source('gug', 'grammaticality_coefficients') }}
