{{ of_usable_sentences('stg_corpus__corrections') }}
