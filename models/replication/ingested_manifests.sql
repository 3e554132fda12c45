-- What is ingested, by the name of the manifest: corpora, and rankings of their outputs.
select corpus as manifest
from {{ ref('stg_corpus__corpora') }}
union
select loaded_from as manifest
from {{ ref('stg_corpus__judgment_sets') }}
