-- One row per use of a text that metrics score: a position of a chain, a sentence of a sampled
-- corpus, a corrupted node, a node of a lattice that compares corpora, a sentence of a system or of
-- an adversarial output. `pair_id` identifies what a metric reads; equal inputs share it.
with

sources as (

    select
        sentences.corpus,
        sentences.sentence_id,
        output_lists.edit_set,
        {{ text_key("array_to_string(sentences.tokens, ' ')", 'sentences.language') }} as text_id,
        coalesce(output_lists.outputs_key, 0) as outputs_key

    from {{ ref('usable_sentences') }} as sentences
    left join {{ ref('output_lists') }} as output_lists using (corpus, sentence_id)

),

-- Sentences without a system output have one row, whose edit set is NULL as well.
sources_without_edit_set as (

    select * exclude (edit_set)
    from sources
    where edit_set is null

),

lattice_references as (

    select
        lattices.corpus,
        lists.sentence_id,
        lists.references_key

    from {{ source('raw', 'lattices') }} as lattices
    inner join {{ ref('reference_lists') }} as lists using (corpus, reference_set)

),

-- DuckDB would copy relations that are read more than once, and spill the copies of large corpora.
node_texts as not materialized (

    select
        node_id,
        text_id
    from {{ ref('node_texts') }}

),

-- Nodes as hypotheses, each with the random node that is the source of one experiment.
lattice_nodes as (

    select
        'chain' as used_in,
        nodes.corpus,
        nodes.sentence_id,
        nodes.chain_id,
        nodes.position,
        nodes.node_id,
        random_nodes.node_id as random_node_id

    from {{ ref('chain_nodes') }} as nodes
    inner join {{ ref('lattice_chains') }} as chains using (chain_id)
    inner join {{ ref('chain_nodes') }} as random_nodes
        on
            chains.chain_id = random_nodes.chain_id
            and chains.source_position = random_nodes.position

    union all by name

    select
        'sampled_corpus' as used_in,
        corpora.corpus,
        corpora.sentence_id,
        corpora.draw,
        corpora.expected_edits,
        corpora.node_id,
        random_nodes.node_id as random_node_id

    from {{ ref('sampled_corpora') }} as corpora
    inner join {{ ref('sampled_sources') }} as random_nodes
        using (corpus, draw, sentence_id)

),

in_lattices as (

    select
        nodes.*,
        experiments.experiment,
        hypotheses.text_id as hypothesis_text_id,
        if(experiments.experiment = 'origin_source', sources.text_id, random_texts.text_id)
            as source_text_id,
        lists.references_key,
        sources.outputs_key

    from lattice_nodes as nodes
    cross join (values ('random_source'), ('origin_source')) as experiments (experiment)
    inner join node_texts as hypotheses using (node_id)
    inner join node_texts as random_texts on nodes.random_node_id = random_texts.node_id
    inner join lattice_references as lists using (corpus, sentence_id)
    inner join sources_without_edit_set as sources using (corpus, sentence_id)

),

-- At the position of its valid node. The original is the source: a random node of the chain has the
-- right correction in half of the cases, and similarity to the source would find it.
corrupted as (

    select
        'corrupted' as used_in,
        'origin_source' as experiment,
        nodes.corpus,
        nodes.sentence_id,
        nodes.chain_id,
        nodes.upper_position as position,
        nodes.corrupted_node_id,
        nodes.text_id as hypothesis_text_id,
        sources.text_id as source_text_id,
        lists.references_key,
        sources.outputs_key

    from {{ ref('corrupted_nodes') }} as nodes
    inner join lattice_references as lists using (corpus, sentence_id)
    inner join sources_without_edit_set as sources using (corpus, sentence_id)

),

-- Chains share nodes, so a valid or corrupted node may occur more than once.
compared_nodes as (

    select
        annotation_id,
        mask,
        null::integer as corrupted_edit,
        text_id
    from {{ ref('node_texts') }}

    union

    select
        nodes.annotation_id,
        nodes.mask,
        steps.edit_index as corrupted_edit,
        corrupted_nodes.text_id

    from {{ ref('corrupted_nodes') }} as corrupted_nodes
    inner join {{ ref('chain_nodes') }} as nodes
        on
            corrupted_nodes.chain_id = nodes.chain_id
            and corrupted_nodes.upper_position = nodes.position
    inner join {{ ref('corrupted_steps') }} as steps using (step_id)

),

compared as (

    select
        'compared_lattice' as used_in,
        shown.corpus,
        shown.sentence_id,
        shown.references_mode,
        shown.has_edit_metrics,
        nodes.annotation_id,
        nodes.mask,
        nodes.corrupted_edit,
        nodes.text_id as hypothesis_text_id,
        sources.text_id as source_text_id,
        shown.references_key,
        sources.outputs_key

    from {{ ref('compared_references') }} as shown
    inner join compared_nodes as nodes using (annotation_id)
    inner join sources_without_edit_set as sources using (corpus, sentence_id)

),

outputs as (

    select
        'system' as used_in,
        corpus,
        system,
        sentence_id,
        null as reference_set,
        {{ text_key('text', 'language') }} as text_id
    from {{ ref('usable_outputs') }}

    union all

    select
        'adversarial' as used_in,
        adversarial.corpus,
        adversarial.system,
        adversarial.sentence_id,
        adversarial.reference_set,
        {{ text_key('adversarial.text', 'corpora.language') }} as text_id
    from {{ ref('adversarial_systems') }} as adversarial
    inner join {{ source('raw', 'corpora') }} as corpora using (corpus)

),

-- What outputs are scored with: their corpus's sentences and references.
output_references as (

    select
        lists.*,
        reference_sets.edit_set,
        sources.text_id as source_text_id,
        sources.outputs_key

    from {{ ref('reference_lists') }} as lists
    inner join {{ source('raw', 'reference_sets') }} as reference_sets
        using (corpus, reference_set)
    inner join sources
        on
            lists.corpus = sources.corpus
            and lists.sentence_id = sources.sentence_id
            and reference_sets.edit_set is not distinct from sources.edit_set
    where sources.outputs_key <> 0

),

-- A constant in the condition of the left join would make DuckDB compare all rows with all.
system_edits as (

    select
        'system' as used_in,
        *
    from {{ ref('ingested_edits') }}

),

-- A system output with every reference set, an adversarial output with its own. The edit set that a
-- reference set names has a tool's edits of system outputs; adversarial outputs have none.
in_outputs as (

    select
        outputs.used_in,
        outputs.corpus,
        lists.reference_set,
        outputs.system,
        outputs.sentence_id,
        outputs.text_id as hypothesis_text_id,
        lists.source_text_id,
        lists.references_key,
        lists.gold_key,
        lists.typed_gold_key,
        ingested.annotation_key as edits_key,
        lists.outputs_key

    from outputs
    inner join output_references as lists
        on
            outputs.corpus = lists.corpus
            and outputs.sentence_id = lists.sentence_id
            and (outputs.reference_set is null or outputs.reference_set = lists.reference_set)
    left join system_edits as ingested
        on
            outputs.used_in = ingested.used_in
            and outputs.corpus = ingested.corpus
            and lists.edit_set = ingested.edit_set
            and outputs.system = ingested.system
            and outputs.sentence_id = ingested.sentence_id

),

united as (

    select * from in_lattices
    union all by name
    select * from corrupted
    union all by name
    select * from compared
    union all by name
    select * from in_outputs

)

select
    * exclude (random_node_id) replace (
        coalesce(gold_key, 0) as gold_key,
        coalesce(typed_gold_key, 0) as typed_gold_key,
        coalesce(edits_key, 0) as edits_key
    ),
    {{ pair_key([
        'source_text_id', 'hypothesis_text_id', 'references_key', 'coalesce(gold_key, 0)',
        'coalesce(edits_key, 0)', 'coalesce(typed_gold_key, 0)', 'outputs_key'
    ]) }} as pair_id

from united
