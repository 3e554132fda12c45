-- ERRANT's counts of each sentence by error type, with the annotator that the corpus score chose. A
-- match counts for the type in the gold, and an edit without match for its own type. In languages
-- without ERRANT's rules an edit has only an operation, so it counts for the type of the
-- annotator's edit at its place. Edits of unknown correction (UNK) do not count, as in ERRANT's own
-- comparison.
with

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
        inputs.sentence_id,
        inputs.edits_key,
        inputs.matched_gold_key,
        choices.position

    from {{ ref('system_inputs') }} as inputs
    inner join choices using (corpus, reference_set, system, sentence_id)

),

in_gold as (

    select
        compared.corpus,
        compared.reference_set,
        compared.system,
        compared.sentence_id,
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
            compared.matched_gold_key = gold_edits.gold_key
            and compared.position = gold_edits.position

),

unmatched as (

    select
        compared.corpus,
        compared.reference_set,
        compared.system,
        compared.sentence_id,
        compared.matched_gold_key,
        compared.position,
        hypothesis_edits.edit_index,
        hypothesis_edits.start_token,
        hypothesis_edits.end_token,
        hypothesis_edits.error_type

    from compared
    inner join hypothesis_edits on compared.edits_key = hypothesis_edits.annotation_key
    anti join gold_edits
        on
            compared.matched_gold_key = gold_edits.gold_key
            and compared.position = gold_edits.position
            and hypothesis_edits.start_token = gold_edits.start_token
            and hypothesis_edits.end_token = gold_edits.end_token
            and hypothesis_edits.correction = gold_edits.correction

),

-- Of several overlapping edits, the one that shares most tokens. An insertion shares none, and
-- overlaps adjacent edits.
placed as (

    select
        unmatched.corpus,
        unmatched.reference_set,
        unmatched.system,
        unmatched.sentence_id,
        unmatched.edit_index,
        first(
            gold_edits.error_type
            order by
                least(unmatched.end_token, gold_edits.end_token)
                - greatest(unmatched.start_token, gold_edits.start_token) desc,
                gold_edits.edit_index
        ) as error_type

    from unmatched
    inner join gold_edits
        on
            unmatched.matched_gold_key = gold_edits.gold_key
            and unmatched.position = gold_edits.position
    where
        unmatched.error_type in ('M', 'R', 'U')
        and gold_edits.error_type not in ('M', 'R', 'U')
        and unmatched.end_token >= gold_edits.start_token
        and unmatched.start_token <= gold_edits.end_token
        and (
            unmatched.start_token = unmatched.end_token
            or gold_edits.start_token = gold_edits.end_token
            or (
                unmatched.end_token > gold_edits.start_token
                and unmatched.start_token < gold_edits.end_token
            )
        )
    group by
        unmatched.corpus,
        unmatched.reference_set,
        unmatched.system,
        unmatched.sentence_id,
        unmatched.edit_index

),

outcomes as (

    select
        corpus,
        reference_set,
        system,
        sentence_id,
        error_type,
        if(is_matched, 'tp', 'fn') as outcome
    from in_gold
    union all
    select
        unmatched.corpus,
        unmatched.reference_set,
        unmatched.system,
        unmatched.sentence_id,
        coalesce(placed.error_type, unmatched.error_type) as error_type,
        'fp' as outcome
    from unmatched
    left join placed using (corpus, reference_set, system, sentence_id, edit_index)

)

select
    corpus,
    reference_set,
    system,
    error_type,
    sentence_id,
    (count(*) filter (where outcome = 'tp'))::integer as tp,
    (count(*) filter (where outcome = 'fp'))::integer as fp,
    (count(*) filter (where outcome = 'fn'))::integer as fn

from outcomes
group by corpus, reference_set, system, error_type, sentence_id
