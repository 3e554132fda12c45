-- ERRANT by error type: against the annotator that the corpus score chose for each sentence. A
-- match counts for the type that the gold gives it, an edit without match for its own. Edits of
-- unknown correction (UNK) do not count, as in ERRANT's own comparison.
with

inputs as (

    select * from {{ ref('system_inputs') }}

),

choices as (

    select * from {{ ref('chosen_annotators') }}
    where metric = 'errant'

),

hypothesis_edits as (

    select * from {{ ref('hypothesis_edits') }}
    where error_type <> 'UNK'

),

gold_edits as (

    select * from {{ ref('typed_gold_edits') }}
    where error_type <> 'UNK'

),

compared as (

    select
        inputs.corpus,
        inputs.reference_set,
        inputs.system,
        inputs.edits_key,
        inputs.typed_gold_key,
        choices.position

    from inputs
    inner join choices
        on
            inputs.corpus = choices.corpus
            and inputs.reference_set = choices.reference_set
            and inputs.system = choices.system
            and inputs.sentence_id = choices.sentence_id

),

in_gold as (

    select
        compared.corpus,
        compared.reference_set,
        compared.system,
        gold_edits.error_type,
        exists(
            select 1
            from hypothesis_edits
            where
                compared.edits_key = hypothesis_edits.annotation_key
                and gold_edits.start_token = hypothesis_edits.start_token
                and gold_edits.end_token = hypothesis_edits.end_token
                and gold_edits.correction = hypothesis_edits.correction
        ) as is_matched

    from compared
    inner join gold_edits
        on
            compared.typed_gold_key = gold_edits.gold_key
            and compared.position = gold_edits.position

),

unmatched as (

    select
        compared.corpus,
        compared.reference_set,
        compared.system,
        hypothesis_edits.error_type

    from compared
    inner join hypothesis_edits on compared.edits_key = hypothesis_edits.annotation_key
    anti join gold_edits
        on
            compared.typed_gold_key = gold_edits.gold_key
            and compared.position = gold_edits.position
            and hypothesis_edits.start_token = gold_edits.start_token
            and hypothesis_edits.end_token = gold_edits.end_token
            and hypothesis_edits.correction = gold_edits.correction

),

outcomes as (

    select
        corpus,
        reference_set,
        system,
        error_type,
        if(is_matched, 'tp', 'fn') as outcome
    from in_gold
    union all
    select
        corpus,
        reference_set,
        system,
        error_type,
        'fp' as outcome
    from unmatched

),

counted as (

    select
        corpus,
        reference_set,
        system,
        error_type,
        count(*) filter (where outcome = 'tp') as tp,
        count(*) filter (where outcome = 'fp') as fp,
        count(*) filter (where outcome = 'fn') as fn

    from outcomes
    group by corpus, reference_set, system, error_type

)

select
    corpus,
    reference_set,
    system,
    error_type,
    tp::integer as tp,
    fp::integer as fp,
    fn::integer as fn,
    if(fp = 0, 1.0, tp / (tp + fp)) as p,
    if(fn = 0, 1.0, tp / (tp + fn)) as r,
    if(fp + fn + tp = 0, 1.0, 1.25 * tp / (1.25 * tp + fp + 0.25 * fn)) as f

from counted
