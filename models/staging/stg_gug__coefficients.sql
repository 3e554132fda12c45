with

source as (

    select * from {{ source('gug', 'grammaticality_coefficients') }}

),

renamed as (

    select
        feature,
        coefficient

    from source

)

select * from renamed
