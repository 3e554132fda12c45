-- What a corrector scores who corrects as the crowd does: the best score that references allow.
select * from {{ ref('perfect_corrector') }}
