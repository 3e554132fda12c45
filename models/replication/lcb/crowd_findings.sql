-- Deviations of the published run from the crowd's accepted answers: estimates that were
-- overwritten or computed from other answers, and outputs that were rejected but sampled.
with

answers as (

    select * from {{ ref('usable_corrections') }}

),

sentences as (

    select
        corpus,
        sentence_id,
        left(regexp_replace(array_to_string(tokens, ''), '[^A-Za-z0-9]', '', 'g'), 6) as name

    from {{ ref('usable_sentences') }}

),

-- Files are named by the first six letters of a sentence; the last of that name is what is left.
named as (

    select
        *,
        max(sentence_id) over (partition by corpus, name) as last_id

    from sentences

),

-- The grid begins at 1 / (100 n), ends above len(f) / n (analysis/statistics/coverage.py).
released as (

    select
        corpus,
        path,
        measure,
        name,
        round(1 / (100 * min(frequency)))::integer as n_answers,
        count(*) as n_frequencies,
        sum(variants) as variants

    from {{ source('raw', 'frequency_estimates') }}
    group by corpus, path, measure, name

),

histograms as (

    select
        corpus,
        sentence_id,
        measure,
        n_answers,
        ceil(ln(100 * len(string_split(histogram, ','))) / ln(1.05))::integer + 1 as n_frequencies

    from {{ ref('answer_histograms') }}

),

estimates as (

    select
        corpus,
        sentence_id,
        measure,
        sum(variants) as variants

    from {{ ref('correction_distributions') }}
    where estimator = 'unseenest'
    group by corpus, sentence_id, measure

),

-- Grids and solutions are of the texts: places of words are aligned otherwise than in the run.
compared as (

    select
        released.corpus,
        released.path,
        released.measure,
        released.name as released_name,
        named.sentence_id,
        case
            when named.sentence_id < named.last_id then 'overwritten'
            when released.n_answers <> histograms.n_answers then 'other_answers'
            when released.measure <> 'exact' then null
            when released.n_frequencies <> histograms.n_frequencies then 'other_histogram'
            when abs(released.variants / estimates.variants - 1) > 0.01 then 'other_solution'
        end as kind,
        case kind
            when 'overwritten'
                then 'sentence ' || named.last_id || ' has the same name, and came later'
            when 'other_answers'
                then
                    'computed from ' || released.n_answers || ' answers, where '
                    || histograms.n_answers || ' count'
            when 'other_histogram'
                then
                    released.n_frequencies || ' frequencies, where the answers give '
                    || histograms.n_frequencies
            when 'other_solution'
                then
                    round(released.variants, 1) || ' variants, where a new solution has '
                    || round(estimates.variants, 1)
        end as detail

    from released
    inner join named using (corpus, name)
    inner join histograms
        on
            named.corpus = histograms.corpus
            and named.sentence_id = histograms.sentence_id
            and released.measure = histograms.measure
    inner join estimates
        on
            named.corpus = estimates.corpus
            and named.sentence_id = estimates.sentence_id
            and released.measure = estimates.measure

),

rejected as (

    select
        {{ squeezed('correction') }} as text

    from answers
    where corpus = 'lcb_gec'
    group by all
    having bool_and(left_out is not null) and bool_or(left_out = 'rejected')

),

drawn as (

    select
        outputs.corpus,
        outputs.path,
        outputs.line,
        outputs.sentence_id

    from {{ ref('usable_outputs') }} as outputs
    inner join rejected using (text)
    where starts_with(outputs.corpus, 'lcb_perfect_')

)

select
    corpus,
    path,
    line,
    'rejected_but_drawn' as kind,
    sentence_id,
    'nobody gave this answer who was not rejected' as detail,
    'used' as treatment
from drawn
union all by name
select
    corpus,
    path,
    kind,
    released_name as item,
    sentence_id,
    measure || ': ' || detail as detail,
    'used' as treatment
from compared
where kind is not null
