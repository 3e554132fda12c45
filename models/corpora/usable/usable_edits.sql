{{ of_usable_sentences(ref('stg_m2__edits')) }}
