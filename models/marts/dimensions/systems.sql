-- The systems whose outputs are scored or judged: real systems, the unchanged source, references
-- among the systems, and adversarial outputs.
with

outputs as (

    select * from {{ ref('usable_outputs') }}

),

listed_references as (

    select distinct
        corpus,
        reference,
        sentence_id,
        text

    from {{ ref('listed_references') }}

),

compared as (

    select
        outputs.corpus,
        outputs.system,
        count(*) as n_sentences,
        bool_and(outputs.text in (sentences.text, array_to_string(sentences.tokens, ' ')))
            as is_source

    from outputs
    inner join {{ ref('usable_sentences') }} as sentences using (corpus, sentence_id)
    group by outputs.corpus, outputs.system

),

copied as (

    select
        outputs.corpus,
        outputs.system,
        listed_references.reference,
        count(*) as n_sentences

    from outputs
    inner join listed_references using (corpus, sentence_id, text)
    group by outputs.corpus, outputs.system, listed_references.reference

),

longest_copies as (

    select
        corpus,
        system,
        max(n_sentences) as n_sentences

    from copied
    group by corpus, system

),

files as (

    select
        corpus,
        name as system,
        any_value(origin) as origin

    from {{ source('raw', 'files') }}
    where role = 'system'
    group by corpus, name

),

listed as (

    select
        corpus,
        system
    from {{ source('raw', 'outputs') }}
    union
    select
        corpus,
        system
    from {{ source('raw', 'judgment_systems') }}
    union
    select
        corpus,
        system
    from {{ source('raw', 'k_best') }}

),

made_by_rule as (

    select distinct
        corpus,
        system

    from {{ ref('adversarial_systems') }}

)

select
    listed.corpus,
    listed.system,
    case
        when compared.is_source then 'source'
        when longest_copies.n_sentences = compared.n_sentences then 'reference'
        else 'system'
    end as kind,
    files.origin

from listed
left join compared using (corpus, system)
left join longest_copies using (corpus, system)
left join files using (corpus, system)

union all

select
    made_by_rule.corpus,
    made_by_rule.system,
    'adversarial' as kind,
    'made by rule' as origin

from made_by_rule
anti join listed using (corpus, system)
