-- The nodes that each chain visits, from the original (position 0) to the perfect correction, with
-- MAEGE's gold score (section 6): 1 for the perfect correction, a score below 1 for the original,
-- even steps between. Two scales for the original:
--   tokens (the paper's text): 1 - min over annotations of n_edits / number of tokens
--   characters (the published run): 1 - min over annotations of (n_edits + 1) / characters
with

chains as (

    select * from {{ ref('lattice_chains') }}

),

steps as (

    select
        chain_id,
        generate_subscripts(permutation, 1) as position,
        unnest(permutation) as edit_index

    from chains
    where permutation is not null

),

positions as (

    select
        chain_id,
        0::bigint as position,
        null::integer as edit_index,
        0::bigint as mask
    from chains
    where permutation is not null
    union all
    select
        chain_id,
        position,
        edit_index,
        (sum(1::bigint << edit_index) over (
            partition by chain_id
            order by position
            rows between unbounded preceding and current row
        ))::bigint as mask
    from steps
    union all
    -- A full lattice: every mask is a position.
    select
        chain_id,
        unnest(range(1::bigint << n_edits)) as position,
        null::integer as edit_index,
        unnest(range(1::bigint << n_edits)) as mask
    from chains
    where permutation is null

),

originals as (

    select
        chains.corpus,
        chains.sentence_id,
        1 - min(chains.n_edits) / any_value(len(sentences.tokens)) as score_tokens,
        1 - (min(chains.n_edits) + 1)
        / any_value(length(array_to_string(sentences.tokens, ' '))) as score_characters

    from chains
    inner join {{ ref('usable_sentences') }} as sentences using (corpus, sentence_id)
    group by chains.corpus, chains.sentence_id

),

nodes as (

    select
        chains.corpus,
        chains.sentence_id,
        chains.annotator,
        chains.annotation_id,
        positions.*,
        {{ natural_key(['chains.annotation_id', 'positions.mask']) }} as node_id,
        bit_count(positions.mask)::integer as n_edits,
        {% for scale in ['tokens', 'characters'] %}
            -- The formula alone gives some perfect corrections slightly less than 1.
            if(
                bit_count(positions.mask) = chains.n_edits,
                1,
                originals.score_{{ scale }}
                + (1 - originals.score_{{ scale }}) * bit_count(positions.mask) / chains.n_edits
            ) as gold_{{ scale }},
        {% endfor %}
        edits.error_type

    from positions
    inner join chains using (chain_id)
    inner join originals using (corpus, sentence_id)
    left join {{ ref('annotation_edits') }} as edits
        on
            chains.annotation_id = edits.annotation_id
            and positions.edit_index = edits.edit_index

)

select
    *,
    {{ by_run('corpus', 'gold_characters', 'gold_tokens') }} as gold_score

from nodes
