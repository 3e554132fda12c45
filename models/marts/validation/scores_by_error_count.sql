-- Mean score of the originals by the number of errors that an annotator found in them (Figure 5):
-- does a metric compare different sentences sensibly?.
select * from {{ ref('error_count_scores') }}
