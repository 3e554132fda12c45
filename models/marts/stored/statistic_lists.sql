-- The sufficient statistics of each sentence of an output by each metric, as one list: a copy of
-- the cached statistics of system outputs, because readers have no access to the cache. Metrics
-- that share statistics have them under the first metric of the registry that reads them:
-- gleu_equation under gleu, the reference part of ibleu under bleu.
with

inputs as (

    select * from {{ ref('system_inputs') }}

),

families as (

    select
        family,
        signature_key,
        scored_by,
        reads_source,
        reads_hypothesis,
        reads_references,
        reads_gold,
        reads_edits,
        reads_types,
        reads_outputs,
        -- Selected or not: ibleu reads two families whose statistics have the same names.
        arg_min(metric, place) as metric

    from {{ ref('metric_registry') }}
    where scored_by in ('warehouse', 'languagetool')
    group by all
    having bool_or(is_selected)

),

-- Materialised, or the cache would be joined before its keys are known.
requested as materialized (

    select
        inputs.corpus,
        inputs.reference_set,
        inputs.system,
        inputs.sentence_id,
        families.family,
        families.metric,
        families.signature_key,
        {{ source_key() }} as source_text_id,
        {{ hypothesis_key() }} as hypothesis_text_id,
        {{ references_key() }} as references_key

    from inputs
    cross join families
    where families.scored_by = 'warehouse'

),

lists as (

    select
        requested.corpus,
        requested.reference_set,
        requested.system,
        requested.sentence_id,
        requested.metric,
        -- NaN stands for an annotator without a line for the sentence.
        list_transform(
            cached.statistics, lambda n: if(isnan(n), null, n)  -- noqa: RF02
        ) as statistics

    from requested
    inner join {{ ref('metric_statistics') }} as cached
        using (signature_key, source_text_id, hypothesis_text_id, references_key)

    union all

    select
        inputs.corpus,
        inputs.reference_set,
        inputs.system,
        inputs.sentence_id,
        families.metric,
        [grammar.errors, grammar.tokens]::double[] as statistics

    from inputs
    inner join {{ ref('grammar_scores') }} as grammar on inputs.hypothesis_text_id = grammar.text_id
    inner join families on grammar.metric = families.metric
    -- A text that LanguageTool could not check has no statistics.
    where families.scored_by = 'languagetool' and grammar.error is null

)

select lists.*
from lists
-- Lists only of corpora whose language a selected metric of the family reads.
semi join {{ ref('statistic_names') }} using (corpus, reference_set, metric)
-- Equal lists are next to each other, which compresses well.
order by lists.metric, lists.corpus, lists.sentence_id, lists.reference_set, lists.system
