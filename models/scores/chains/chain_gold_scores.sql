-- The quality that MAEGE itself gives to every position of a chain (section 6): 1 for the perfect
-- correction, a score below 1 for the original, even steps between. Two scales for the original:
--   tokens (the paper's text): 1 - min over annotations of n_edits / number of tokens
--   characters (the published run): 1 - min over annotations of (n_edits + 1) / characters
with

chains as (

    select * from {{ ref('lattice_chains') }}

),

fewest_edits as (

    select
        corpus,
        sentence_id,
        min(n_edits) as n_edits

    from chains
    group by all

),

originals as (

    select
        fewest_edits.corpus,
        fewest_edits.sentence_id,
        1 - fewest_edits.n_edits / len(sentences.tokens) as score_tokens,
        1 - (fewest_edits.n_edits + 1)
        / length(array_to_string(sentences.tokens, ' ')) as score_characters

    from fewest_edits
    inner join {{ ref('usable_sentences') }} as sentences using (corpus, sentence_id)

),

scaled as (

    select
        positions.corpus,
        positions.chain_id,
        positions.position,
        positions.n_edits,
        -- The formula alone gives some perfect corrections slightly less than 1.
        if(
            positions.n_edits = chains.n_edits,
            1,
            originals.score_tokens
            + (1 - originals.score_tokens) * positions.n_edits / chains.n_edits
        ) as gold_tokens,
        if(
            positions.n_edits = chains.n_edits,
            1,
            originals.score_characters
            + (1 - originals.score_characters) * positions.n_edits / chains.n_edits
        ) as gold_characters

    from {{ ref('chain_nodes') }} as positions
    inner join chains on positions.chain_id = chains.chain_id
    inner join originals
        on
            positions.corpus = originals.corpus
            and positions.sentence_id = originals.sentence_id

)

select
    chain_id,
    position,
    n_edits,
    {{ by_run('corpus', 'gold_characters', 'gold_tokens') }} as gold_score,
    gold_tokens,
    gold_characters

from scaled
