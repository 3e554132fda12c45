-- Each statistic of each reference is there once for every sentence of every output, and no other:
-- only what changed is written again, so that rows could be left behind. Counted by group: a key
-- check on the widest table would cost more than building most of the others.
with

counted as (

    select
        corpus,
        reference_set,
        metric,
        reference,
        statistic,
        count(value) as n_values

    from {{ ref('system_statistics') }}
    group by all

),

pairs as (

    select
        corpus,
        reference_set,
        count(*) as n_pairs

    from {{ ref('system_pairs') }}
    group by all

),

families as (

    select
        family,
        per_reference,
        arg_min(metric, place) as metric,
        unnest(any_value(statistics)) as statistic

    from {{ ref('metric_registry') }}
    group by all
    having bool_or(is_selected)

),

reference_names as (

    select distinct
        corpus,
        reference_set,
        position,
        reference

    from {{ ref('reference_texts') }}

),

expected as (

    select
        pairs.corpus,
        pairs.reference_set,
        families.metric,
        if(families.per_reference, reference_names.reference, null) as reference,
        families.statistic,
        pairs.n_pairs

    from pairs
    inner join reference_names
        on
            pairs.corpus = reference_names.corpus
            and pairs.reference_set = reference_names.reference_set
    inner join families on families.per_reference or reference_names.position = 0

)

select
    coalesce(expected.corpus, counted.corpus) as corpus,
    coalesce(expected.reference_set, counted.reference_set) as reference_set,
    coalesce(expected.metric, counted.metric) as metric,
    coalesce(expected.reference, counted.reference) as reference,
    coalesce(expected.statistic, counted.statistic) as statistic,
    expected.n_pairs,
    counted.n_values

from expected
full outer join counted
    on
        expected.corpus = counted.corpus
        and expected.reference_set = counted.reference_set
        and expected.metric = counted.metric
        and expected.reference is not distinct from counted.reference
        and expected.statistic = counted.statistic
where counted.n_values is distinct from expected.n_pairs
