-- What has to be in the cache: for every family of statistics that a selected metric reads, the
-- distinct values of exactly the inputs that the family reads. An input that it does not read is 0.
with

families as (

    select distinct
        family,
        signature_key,
        scored_by,
        cost,
        reads_source,
        reads_hypothesis,
        reads_references,
        reads_gold,
        reads_edits,
        reads_types,
        reads_outputs,
        reads_other,
        -- The others are asked about all draws, or where edits were extracted.
        if(scored_by in ('function', 'class'), n_draws, null) as n_draws,
        only_mode,
        sample_sentences,
        languages,
        trained_on

    from {{ ref('metric_registry') }}
    where is_selected

),

corpora as (

    select * from {{ ref('stg_corpus__corpora') }}

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
        false as is_adversarial,
        0 as first_draw,
        0 as first_draw_in_paper,
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
        false as is_adversarial,
        0 as first_draw,
        0 as first_draw_in_paper,
        false as is_of_expert,
        true as is_step
    from {{ ref('compared_steps') }}

),

sentence_order as (

    select * from {{ ref('sentence_order') }}

),

sampled as (

    select
        families.family,
        sentence_order.corpus,
        sentence_order.sentence_id

    from families
    inner join sentence_order on families.sample_sentences >= sentence_order.place

),

requests as (

    select
        families.family,
        families.signature_key,
        families.scored_by,
        families.cost,
        families.sample_sentences is null or sampled.family is not null as is_sampled,
        {{ source_key() }} as source_text_id,
        {{ hypothesis_key() }} as hypothesis_text_id,
        {{ references_key() }} as references_key,
        inputs.corpus,
        inputs.sentence_id,
        inputs.is_adversarial

    from families
    cross join inputs
    inner join corpora
        on
            inputs.corpus = corpora.corpus
            and {{ reads_corpus('families', 'corpora') }}
    left join sampled
        on
            families.family = sampled.family
            and inputs.corpus = sampled.corpus
            and inputs.sentence_id = sampled.sentence_id
    -- LanguageTool is as slow as the metrics that read edits, and has the same corpora to score.
    where
        (families.scored_by <> 'languagetool' or inputs.gold_key is not null)
        -- Steps are for metrics that compare texts, and all else is for the others.
        and inputs.is_step = families.reads_other
        -- What is dear scores less: as many draws, and the modes, that metrics.yml says.
        and (families.only_mode is null or inputs.first_draw_in_paper is not null)
        and (
            families.n_draws is null
            or families.n_draws > if(
                families.only_mode is null, inputs.first_draw, inputs.first_draw_in_paper
            )
        )
        -- What a paper scored them with.
        and (
            not inputs.is_of_expert
            or families.family in (
                'm2', 'gleu', 'fluency', 'meaning', 'meaning_meteor', 'gug_features',
                'grammaticality', 'lt', 'lt37'
            )
        )

)

select
    family,
    signature_key,
    source_text_id,
    hypothesis_text_id,
    references_key,
    any_value(scored_by) as scored_by,
    any_value(cost) as cost,
    -- Pairs of one sentence share their n-grams, so they are scored together.
    min(corpus) as corpus,
    min(sentence_id) as sentence_id,
    bool_and(is_adversarial) as is_adversarial,
    -- The others have no score, as if the metric had failed at them: nobody is asked.
    bool_or(is_sampled) as is_sampled

from requests
-- Edits that nobody extracted leave nothing to compare.
where hypothesis_text_id is not null and references_key is not null
group by family, signature_key, source_text_id, hypothesis_text_id, references_key
