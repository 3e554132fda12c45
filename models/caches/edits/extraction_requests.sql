-- Every (source, target) from which a metric needs edits. The target is a reference if the gold of
-- the reference set is text, the hypothesis for metrics that compare edits with edits, the outputs
-- of all systems for metrics that weight by them, and a crowd's texts.
with

pairs as (

    select * from {{ ref('scoring_pairs') }}
    where has_edit_metrics

),

needs as (

    select
        coalesce(bool_or(reads_gold), false) as has_gold_readers,
        coalesce(bool_or(reads_edits), false) as has_edit_readers,
        coalesce(bool_or(reads_types), false) as has_type_readers,
        coalesce(bool_or(reads_outputs), false) as has_output_readers

    from {{ ref('metric_registry') }}
    where is_selected

),

compared as (

    select
        pairs.source_text_id,
        pairs.references_key,
        min(pairs.corpus) as corpus,
        min(pairs.sentence_id) as sentence_id

    from pairs
    cross join needs
    where
        (pairs.gold_key = 0 and needs.has_gold_readers)
        or (pairs.typed_gold_key = 0 and needs.has_type_readers)
    group by pairs.source_text_id, pairs.references_key

),

output_lists as (

    select distinct
        outputs_key,
        outputs
    from {{ ref('output_lists') }}

),

weighing as (

    select
        pairs.source_text_id,
        pairs.outputs_key,
        min(pairs.corpus) as corpus,
        min(pairs.sentence_id) as sentence_id

    from pairs
    cross join needs
    where needs.has_output_readers
    group by pairs.source_text_id, pairs.outputs_key

),

outputs as (

    select
        weighing.source_text_id,
        weighing.corpus,
        weighing.sentence_id,
        unnest(output_lists.outputs) as output

    from weighing
    inner join output_lists using (outputs_key)

),

wanted as (

    select
        compared.source_text_id,
        unnest(reference_lists.text_ids) as target_text_id,
        compared.corpus,
        compared.sentence_id

    from compared
    inner join {{ ref('reference_contents') }} as reference_lists using (references_key)

    union all

    select
        pairs.source_text_id,
        pairs.hypothesis_text_id as target_text_id,
        pairs.corpus,
        pairs.sentence_id

    from pairs
    cross join needs
    where pairs.edits_key = 0 and needs.has_edit_readers

    union all

    select
        source_text_id,
        output.text_id as target_text_id,
        corpus,
        sentence_id

    from outputs
    where output.edits_key = 0

    union all

    select
        crowd.source_text_id,
        crowd.target_text_id,
        crowd.corpus,
        crowd.sentence_id

    from {{ ref('edit_requests') }} as crowd
    cross join needs
    where crowd.kind = 'crowd' and needs.has_type_readers

)

select
    extractor.extractor_key,
    wanted.source_text_id,
    wanted.target_text_id,
    min(wanted.corpus) as corpus,
    min(wanted.sentence_id) as sentence_id

from wanted
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
inner join {{ ref('edit_extractor') }} as extractor using (language)
where wanted.target_text_id is not null
group by extractor.extractor_key, wanted.source_text_id, wanted.target_text_id
