-- The annotators of a set in order: A2 before A10.
select
    corpus,
    annotation_set,
    annotator,
    row_number() over (
        partition by corpus, annotation_set order by {{ annotator_order('annotator') }}
    ) - 1 as position

from {{ source('raw', 'annotators') }}
