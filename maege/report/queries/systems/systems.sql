-- Reference set: the one used to score artificial outputs, else the one with the most metrics.
with

{references_shown: system_scores}

select corpus, reference_set, metric, system, corpus_score, ci_low, ci_high, rank, rank_low, rank_high
from system_scores
inner join references_shown using (corpus, reference_set)
where corpus_score is not null
order by corpus, metric, rank, system
