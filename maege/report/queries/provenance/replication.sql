select
    paper, exhibit, row_label, column_label, published, published_text, reproduced, corrected,
    status, note
from replication
order by paper, exhibit, row_label, column_label
