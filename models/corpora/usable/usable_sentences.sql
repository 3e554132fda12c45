{{ of_usable_sentences(ref('stg_corpus__sentences')) }}
