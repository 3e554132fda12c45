-- Whether another choice of references would put the systems into the same order.
select * from {{ ref('order_stability') }}
