-- How many references the mixing of corrections implies: one for every combination of alternatives
-- that the edits between a source and its references allow.
select
    corpus,
    mode,
    experiment,
    unit,
    sentence_id,
    chain_id,
    position,
    n_references

from {{ ref('mixture_counts') }}
