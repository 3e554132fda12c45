-- Where does a metric prefer a sentence with many more errors? The pairs with the most valid edits
-- between them, with both texts and the changed characters.
with

discordant_pairs as (

    select * from main.discordant_pairs
    where experiment = 'random_source' and metric = 'gleu'

),

nodes as (

    select * from main.lattice_nodes

),

-- One pair per sentence: otherwise the longest chains would fill the list.
ranked_in_sentence as (

    select
        *,
        row_number() over (
            partition by corpus, sentence_id
            order by
                n_edits_between desc,
                delta asc,
                chain_id asc,
                lower_position asc,
                upper_position asc
        ) as place_in_sentence

    from discordant_pairs

),

ranked as (

    select
        *,
        row_number() over (
            partition by corpus order by n_edits_between desc, delta asc, sentence_id asc
        ) as place

    from ranked_in_sentence
    where place_in_sentence = 1

),

longest as (

    select * from ranked
    where place <= 3

),

with_texts as (

    select
        longest.corpus,
        longest.sentence_id,
        longest.annotator,
        longest.n_edits_between,
        round(longest.lower_score, 3) as lower_score,
        round(longest.upper_score, 3) as upper_score,
        character_distance(lower_nodes.text, upper_nodes.text) as characters_changed,
        lower_nodes.text as preferred_text,
        upper_nodes.text as better_text

    from longest
    inner join nodes as lower_nodes on longest.lower_node_id = lower_nodes.node_id
    inner join nodes as upper_nodes on longest.upper_node_id = upper_nodes.node_id

)

select * from with_texts
order by corpus asc, n_edits_between desc, sentence_id asc
