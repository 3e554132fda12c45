-- The sufficient statistics behind the scores of system outputs, one by one. A view, because it is
-- by far the longest of the marts and its rows are lists with names put to them.
select
    outputs.corpus,
    outputs.reference_set,
    outputs.system,
    lists.sentence_id,
    lists.metric,
    places.reference,
    places.statistic,
    coalesce(distinct_values.counts[places.place], distinct_values.reals[places.place]) as value

from {{ ref('statistic_rows') }} as lists
inner join {{ ref('statistic_outputs') }} as outputs using (output_id)
inner join {{ ref('statistic_values') }} as distinct_values
    on lists.values_id = distinct_values.values_id
inner join {{ ref('statistic_places') }} as places
    on
        outputs.corpus = places.corpus
        and outputs.reference_set = places.reference_set
        and lists.metric = places.metric
-- An annotator without a line for the sentence has no statistics.
where value is not null
