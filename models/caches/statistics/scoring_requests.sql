-- The required content of the cache: for every family of statistics that a selected metric reads,
-- the distinct values of exactly the inputs that the family reads. An input that it does not read
-- is 0. Families that read the same inputs have the same requests. These are made distinct only
-- once, with numbers for corpora, because there are many millions of them.
with

families as (

    select
        family,
        signature_key,
        any_value(scored_by) as scored_by,
        any_value(cost) as cost,
        any_value(scored_by) = 'languagetool' as is_of_languagetool,
        -- Families that a paper scored its experts' corrections with.
        family in (
            'm2', 'gleu', 'fluency', 'meaning', 'meaning_meteor', 'gug_features',
            'grammaticality', 'lt', 'lt37'
        ) as reads_experts,
        any_value(reads_source) as reads_source,
        any_value(reads_hypothesis) as reads_hypothesis,
        any_value(reads_references) as reads_references,
        any_value(reads_gold) as reads_gold,
        any_value(reads_edits) as reads_edits,
        any_value(reads_types) as reads_types,
        any_value(reads_outputs) as reads_outputs,
        any_value(reads_other) as reads_other,
        -- Other families score all draws, or those with extracted edits.
        max(n_draws) filter (where scored_by in ('function', 'class')) as n_draws,
        any_value(sample_sentences) as sample_sentences,
        -- The union over all metrics that read the family.
        if(
            bool_or(languages is null),
            null,
            list_sort(list_distinct(flatten(array_agg(languages))))
        ) as languages

    from {{ ref('metric_registry') }}
    where is_selected
    group by family, signature_key

),

numbered_families as (

    select
        *,
        dense_rank() over (
            order by
                is_of_languagetool,
                reads_experts,
                reads_source,
                reads_hypothesis,
                reads_references,
                reads_gold,
                reads_edits,
                reads_types,
                reads_outputs,
                reads_other,
                n_draws,
                sample_sentences,
                languages
        )::utinyint as reading

    from families

),

-- One row per family.
readings as (

    select * from numbered_families
    qualify row_number() over (partition by reading order by family, signature_key) = 1

),

corpora as (

    select
        corpus,
        language,
        (row_number() over (order by corpus))::usmallint as corpus_number

    from {{ source('raw', 'corpora') }}

),

inputs as (

    select
        *,
        false as is_of_expert,
        false as is_step
    from {{ ref('scoring_inputs') }}
    union all by name
    select
        *,
        0 as first_draw,
        true as is_of_expert,
        false as is_step
    from {{ ref('expert_inputs') }}
    union all by name
    select
        corpus,
        sentence_id,
        source_text_id,
        hypothesis_text_id,
        references_key,
        0 as first_draw,
        false as is_of_expert,
        true as is_step
    from {{ ref('compared_steps') }}

),

sampled as (

    select
        readings.reading,
        sentence_order.corpus,
        sentence_order.sentence_id

    from readings
    inner join {{ ref('sentence_order') }} as sentence_order
        on readings.sample_sentences >= sentence_order.place

),

requests as (

    select
        readings.reading,
        readings.sample_sentences is null or sampled.reading is not null as is_sampled,
        {{ source_key('readings') }} as source_text_id,
        {{ hypothesis_key('readings') }} as hypothesis_text_id,
        {{ references_key('readings') }} as references_key,
        corpora.corpus_number,
        inputs.sentence_id

    from readings
    cross join inputs
    inner join corpora
        on
            inputs.corpus = corpora.corpus
            and {{ reads_language('readings.languages', 'corpora.language') }}
    left join sampled
        on
            readings.reading = sampled.reading
            and inputs.corpus = sampled.corpus
            and inputs.sentence_id = sampled.sentence_id
    -- LanguageTool is as slow as edit-based metrics and scores the same sampled corpora.
    where
        (not readings.is_of_languagetool or inputs.gold_key is not null)
        -- Metrics that compare texts score steps; all other metrics score everything else.
        and inputs.is_step = readings.reads_other
        -- An expensive metric scores the number of draws in metrics.yml.
        and (readings.n_draws is null or readings.n_draws > inputs.first_draw)
        and (not inputs.is_of_expert or readings.reads_experts)

),

distinct_requests as (

    select
        reading,
        source_text_id,
        hypothesis_text_id,
        references_key,
        -- Pairs of one sentence share n-grams, so they are scored together.
        min(corpus_number) as corpus_number,
        min(sentence_id) as sentence_id,
        -- Inputs outside of a metric's sample are not requested and stay unscored.
        bool_or(is_sampled) as is_sampled

    from requests
    -- Without extracted edits there is nothing to compare.
    where hypothesis_text_id is not null and references_key is not null
    group by reading, source_text_id, hypothesis_text_id, references_key

)

select
    families.family,
    families.signature_key,
    requests.source_text_id,
    requests.hypothesis_text_id,
    requests.references_key,
    families.scored_by,
    families.cost,
    corpora.corpus,
    requests.sentence_id,
    requests.is_sampled

from distinct_requests as requests
inner join numbered_families as families using (reading)
inner join corpora using (corpus_number)
