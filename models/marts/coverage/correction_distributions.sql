-- How many corrections of a sentence have which frequency: as counted, as estimated, as released.
select * from {{ ref('correction_frequencies') }}
