select
    corpus,
    annotation_set,
    annotator,
    position

from {{ source('raw', 'annotators') }}
