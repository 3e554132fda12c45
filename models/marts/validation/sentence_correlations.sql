-- Agreement of each metric with the order of corrections of the same sentence (tau), and with
-- MAEGE's gold scores over all sentences (r).
select * from {{ ref('lattice_correlations') }}
