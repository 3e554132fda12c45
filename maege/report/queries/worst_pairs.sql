select
    corpus, mode, metric, place, sentence_id, error_type, n_edits_between,
    lower_score, upper_score, delta, source_text, lower_text, upper_text
from worst_discordant_pairs
where experiment = 'random_source' and mode = 'paper' and place <= 5
order by corpus, metric, place
