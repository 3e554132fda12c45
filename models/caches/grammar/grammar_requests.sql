-- Texts that LanguageTool has to check, once per version and list of disabled rules.
with

requests as (

    select * from {{ ref('scoring_requests') }}
    where scored_by = 'languagetool'

)

select
    metrics.check_key,
    metrics.languagetool,
    requests.hypothesis_text_id as text_id,
    min(requests.corpus) as corpus,
    min(requests.sentence_id) as sentence_id

from requests
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
inner join {{ ref('grammar_metrics') }} as metrics
    on
        requests.family = metrics.metric
        and corpora.language = metrics.language
group by metrics.check_key, metrics.languagetool, requests.hypothesis_text_id
