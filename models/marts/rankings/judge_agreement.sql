-- Kappa of every two judges, of each judge with themselves, and of all.
select * from {{ ref('judge_kappas') }}
