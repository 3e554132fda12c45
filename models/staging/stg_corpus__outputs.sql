select
    outputs.corpus,
    corpora.language,
    outputs.path,
    outputs.line,
    outputs.system,
    outputs.sentence_id,
    {{ squeezed('outputs.text') }} as text,
    -- Of the line as it stands, but for white space at its end.
    length(rtrim(outputs.text)) as n_characters

from {{ source('raw', 'outputs') }} as outputs
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
