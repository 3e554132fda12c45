-- What each system did to its sentences, chunk by chunk, beside what the references did there.
with

reference_names as (

    select
        corpus,
        reference_set,
        list(reference order by position) as names

    from {{ ref('reference_names') }}
    where kind = 'gold'
    group by corpus, reference_set

)

select
    chunks.corpus,
    chunks.reference_set,
    chunks.system,
    chunks.sentence_id,
    chunks.chunk_index,
    chunks.start_token,
    chunks.end_token,
    chunks.original,
    chunks.hypothesis_text,
    to_json(
        map(
            list_transform(
                chunks.positions, lambda p: reference_names.names[p + 1]  -- noqa: RF02
            ),
            chunks.reference_texts
        )
    )::varchar as reference_texts,
    chunks.verdict as outcome

from {{ ref('output_chunks') }} as chunks
inner join reference_names using (corpus, reference_set)
order by
    chunks.corpus,
    chunks.sentence_id,
    chunks.reference_set,
    chunks.start_token,
    chunks.end_token,
    chunks.hypothesis_text,
    chunks.system
