-- The inputs of each metric that is scored elsewhere, with the score if there is one: from the
-- cache for a user's function or class, from the loaded file for scores by file, from stored
-- matches for LanguageTool.
with

families as (

    select
        metric,
        family,
        signature_key,
        scored_by

    from {{ ref('metric_registry') }}
    where is_selected and scored_by <> 'warehouse'

),

requests as (

    select
        families.metric,
        families.scored_by,
        {{ request_id('requested') }} as request_id,
        requested.signature_key,
        requested.source_text_id,
        requested.hypothesis_text_id,
        requested.references_key

    from {{ ref('scoring_requests') }} as requested
    inner join families using (family)

),

cached as (

    select
        signature_key,
        source_text_id,
        hypothesis_text_id,
        references_key,
        statistics[1] as score,
        failure

    from {{ ref('metric_statistics') }}
    where signature_key in (select families.signature_key from families)

)

select
    requests.metric,
    requests.request_id,
    requests.source_text_id,
    requests.hypothesis_text_id,
    requests.references_key,
    case requests.scored_by
        when 'file' then loaded.score
        when 'languagetool' then grammar.score
        else if(cached.failure is null, cached.score, null)
    end as score,
    coalesce(cached.failure, grammar.error) as failure

from requests
left join cached using (signature_key, source_text_id, hypothesis_text_id, references_key)
left join {{ source('own', 'metric_scores') }} as loaded using (metric, request_id)
left join {{ ref('grammar_scores') }} as grammar
    on
        requests.metric = grammar.metric
        and requests.hypothesis_text_id = grammar.text_id
