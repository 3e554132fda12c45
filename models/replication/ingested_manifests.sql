-- What is ingested, by the name of the manifest: corpora, rankings of their outputs, and sets of
-- other judgments.
select corpus as manifest
from {{ source('raw', 'corpora') }}
union
select loaded_from as manifest
from {{ source('raw', 'judgment_sets') }}
union
select judgment_set as manifest
from {{ source('raw', 'judgment_tasks') }}
