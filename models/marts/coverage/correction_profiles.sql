-- How much systems change, beside references and annotators.
select * from {{ ref('corrector_profiles') }}
