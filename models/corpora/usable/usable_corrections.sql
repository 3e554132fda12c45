{{ of_usable_sentences(source('raw', 'corrections')) }}
