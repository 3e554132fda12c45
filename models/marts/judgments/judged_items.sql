-- Judged items, and the corpus sentences that they are linked to.
with

reference_counts as (

    select
        corpus,
        sentence_id,
        count(distinct text)::integer as n_references

    from {{ ref('listed_references') }}
    group by corpus, sentence_id

)

select
    items.judgment_set,
    items.item,
    items.source,
    links.corpus,
    links.sentence_id,
    links.linked_by,
    coalesce(reference_counts.n_references, 0) as n_references,
    case
        when links.corpus is not null then null
        when items.source is null then 'no text'
        else 'no such sentence'
    end as why_not

from {{ source('raw', 'judged_items') }} as items
left join {{ ref('judged_links') }} as links using (judgment_set, item)
left join reference_counts
    on
        links.corpus = reference_counts.corpus
        and links.sentence_id = reference_counts.sentence_id
