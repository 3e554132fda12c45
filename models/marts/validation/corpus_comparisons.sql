-- Each metric on the lattices of each corpus, in numbers by which corpora can be compared.
with

agreement as (

    select * from {{ ref('compared_agreement') }}

)

select
    agreement.corpus,
    agreement.references_mode,
    agreement.metric,
    corpora.language,
    if(
        {{ is_self_referenced('agreement.metric', 'agreement.references_mode') }},
        'self-referenced',
        null
    ) as label,
    agreement.n_sentences,
    agreement.n_lattices,
    agreement.n_edits,
    agreement.tau,
    agreement.tau_ci_low,
    agreement.tau_ci_high,
    agreement.standardised_tau,
    agreement.standardised_tau_ci_low,
    agreement.standardised_tau_ci_high,
    agreement.n_corrupted,
    agreement.over_corrupted,
    agreement.over_corrupted_ci_low,
    agreement.over_corrupted_ci_high,
    agreement.endorsed_share,
    agreement.touched_share,
    agreement.untouched_share,
    agreement.endorsed_tau,
    agreement.touched_tau,
    agreement.untouched_tau,
    agreement.endorsed_over_corrupted,
    agreement.touched_over_corrupted,
    agreement.untouched_over_corrupted,
    agreement.identical_share

from agreement
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
