-- What metrics read for every sentence of every sampled corpus, in both experiments.
with

-- Both are read twice from their tables: DuckDB would make copies, which large corpora spill.
sources as not materialized (

    select * from {{ ref('sampled_sources') }}

),

node_texts as not materialized (

    select * from {{ ref('node_texts') }}

),

originals as (

    select
        corpus,
        sentence_id,
        {{ text_key("array_to_string(tokens, ' ')", 'language') }} as text_id

    from {{ ref('usable_sentences') }}

),

output_lists as (

    select * from {{ ref('output_lists') }}
    where edit_set is null

),

source_texts as (

    select
        sources.corpus,
        sources.mode,
        'random_source' as experiment,
        sources.draw,
        sources.sentence_id,
        node_texts.text_id

    from sources
    inner join node_texts using (node_id)

    union all

    select
        sources.corpus,
        sources.mode,
        'origin_source' as experiment,
        sources.draw,
        sources.sentence_id,
        originals.text_id

    from sources
    inner join originals using (corpus, sentence_id)

),

triples as (

    select
        corpora.corpus,
        corpora.mode,
        source_texts.experiment,
        corpora.draw,
        corpora.expected_edits,
        corpora.sentence_id,
        source_texts.text_id as source_text_id,
        hypothesis_texts.text_id as hypothesis_text_id,
        reference_lists.references_key,
        coalesce(output_lists.outputs_key, 0) as outputs_key

    from {{ ref('sampled_corpora') }} as corpora
    inner join source_texts using (corpus, mode, draw, sentence_id)
    inner join node_texts as hypothesis_texts on corpora.node_id = hypothesis_texts.node_id
    inner join {{ source('raw', 'lattices') }} as lattices
        on
            corpora.corpus = lattices.corpus
            and corpora.mode = lattices.mode
    inner join {{ ref('reference_lists') }} as reference_lists
        on
            lattices.corpus = reference_lists.corpus
            and lattices.reference_set = reference_lists.reference_set
            and corpora.sentence_id = reference_lists.sentence_id
    left join output_lists
        on
            corpora.corpus = output_lists.corpus
            and corpora.sentence_id = output_lists.sentence_id

)

select
    *,
    {{ pair_key([
        'source_text_id', 'hypothesis_text_id', 'references_key', '0', '0', '0',
        'outputs_key'
    ]) }} as pair_id

from triples
