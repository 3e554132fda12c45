-- Section 5 of the MAEGE paper: a corpus model applies M edits to a sentence on average, with a
-- variance of 0.9; M = 0 applies none. The cumulative distribution ends at exactly 1; otherwise a
-- random number close to 1 would have no count.
with

moments as (

    select
        expected_edits,
        sum(probability) as total,
        sum(probability * n_edits) as mean_edits,
        sum(probability * n_edits * n_edits) - sum(probability * n_edits) ^ 2 as variance,
        max(cumulative) as last_cumulative,
        count(*) - count(distinct n_edits) as n_repeated

    from {{ ref('corpus_model_edit_counts') }}
    group by all

)

select * from moments
where
    abs(total - 1) > 1e-9
    or abs(mean_edits - expected_edits) > 1e-9
    or abs(variance - if(expected_edits = 0, 0, 0.9)) > 1e-9
    or last_cumulative <> 1
    or n_repeated > 0
