{{ of_usable_sentences('stg_m2__edits') }}
