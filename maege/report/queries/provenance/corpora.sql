select
    corpora.*,
    coalesce(lattice.n_sentences, 0) as lattice_sentences,
    coalesce(judged.judgments, 0) as judgments
from corpora
left join lattices as lattice using (corpus)
left join (
    select
        corpus,
        count(distinct judgment_set) as judgments
    from human_scores
    group by corpus
) as judged using (corpus)
order by lattice_sentences desc, judgments desc, corpus
