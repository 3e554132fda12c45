-- The chunks of each sentence equal CLEME's counts with all references together.
with

counted as (

    select
        corpus,
        reference_set,
        system,
        sentence_id,
        sum(value) filter (where statistic = 'tp') as tp,
        sum(value) filter (where statistic = 'fp_ne') as fp_ne,
        sum(value) filter (where statistic = 'fp_un') as fp_un,
        sum(value) filter (where statistic = 'fn') as fn

    from {{ ref('system_statistics') }}
    where metric = 'cleme_independent'
    group by corpus, reference_set, system, sentence_id

),

chunks as (

    select
        corpus,
        reference_set,
        system,
        sentence_id,
        count(*) filter (where outcome = 'right') as tp,
        count(*) filter (where outcome = 'wrong') as fp_ne,
        count(*) filter (where outcome = 'unnecessary') as fp_un,
        count(*) filter (where outcome = 'missed') as fn

    from {{ ref('edit_chunks') }}
    group by corpus, reference_set, system, sentence_id

)

select
    counted.corpus,
    counted.reference_set,
    counted.system,
    counted.sentence_id,
    counted.tp,
    counted.fp_ne,
    counted.fp_un,
    counted.fn,
    chunks.tp as tp_of_chunks,
    chunks.fp_ne as fp_ne_of_chunks,
    chunks.fp_un as fp_un_of_chunks,
    chunks.fn as fn_of_chunks

from counted
left join chunks
    on
        counted.corpus = chunks.corpus
        and counted.reference_set = chunks.reference_set
        and counted.system = chunks.system
        and counted.sentence_id = chunks.sentence_id
where
    counted.tp <> coalesce(chunks.tp, 0)
    or counted.fp_ne <> coalesce(chunks.fp_ne, 0)
    or counted.fp_un <> coalesce(chunks.fp_un, 0)
    or counted.fn <> coalesce(chunks.fn, 0)
