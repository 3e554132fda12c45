-- The sufficient statistics behind the scores of system outputs, one by one. A view, because it is
-- by far the longest of the marts and its rows are lists with names put to them.
with

lists as (

    select * from {{ ref('statistic_lists') }}

),

places as (

    select * from {{ ref('statistic_places') }}

)

select
    lists.corpus,
    lists.reference_set,
    lists.system,
    lists.sentence_id,
    lists.metric,
    places.reference,
    places.statistic,
    lists.statistics[places.place] as value,
    lists.fingerprint

from lists
inner join places
    on
        lists.corpus = places.corpus
        and lists.reference_set = places.reference_set
        and lists.metric = places.metric
-- An annotator without a line for the sentence has no statistics.
where lists.statistics[places.place] is not null
