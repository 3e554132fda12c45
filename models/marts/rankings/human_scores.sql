-- The judges' scores of systems: Expected Wins and TrueSkill, with the range of each rank.
select * exclude (published_rank_low, published_rank_high, samples, halves)
from {{ ref('human_score_samples') }}
