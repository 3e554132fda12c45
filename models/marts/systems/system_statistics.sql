-- The sufficient statistics behind the scores of system outputs, one per row. A view over lists,
-- because it has far more rows than any other mart.
select
    lists.corpus,
    lists.reference_set,
    lists.system,
    lists.sentence_id,
    lists.metric,
    names.reference,
    names.statistic,
    lists.statistics[names.position] as value

from {{ ref('statistic_lists') }} as lists
inner join {{ ref('statistic_names') }} as names using (corpus, reference_set, metric)
-- An annotator without a line for the sentence has no statistics.
where value is not null
