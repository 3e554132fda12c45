-- The sufficient statistics behind the scores of system outputs, one by one. A view, because it is
-- by far the longest of the marts and its rows are lists with names put to them.
with

lists as (

    select * from {{ ref('statistic_lists') }}

),

outputs as (

    select * from {{ ref('system_fingerprints') }}

),

places as (

    select * from {{ ref('statistic_places') }}

)

select
    lists.corpus,
    outputs.reference_set,
    outputs.system,
    lists.sentence_id,
    lists.metric,
    places.reference,
    places.statistic,
    coalesce(lists.counts[places.place], lists.reals[places.place]) as value,
    lists.fingerprint

from lists
inner join outputs on lists.fingerprint = outputs.fingerprint
inner join places
    on
        lists.corpus = places.corpus
        and outputs.reference_set = places.reference_set
        and lists.metric = places.metric
-- An annotator without a line for the sentence has no statistics.
where value is not null
