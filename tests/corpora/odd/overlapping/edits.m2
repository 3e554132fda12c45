S My sister have went to the shop yesterday .
A 2 4|||R:VERB|||went|||REQUIRED|||-NONE-|||0
A 3 5|||R:OTHER|||gone into|||REQUIRED|||-NONE-|||0
A 2 4|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||1

S I am agree with this opinions .
A 1 2|||U:VERB||||||REQUIRED|||-NONE-|||0
A 5 6|||R:NOUN:NUM|||opinion|||REQUIRED|||-NONE-|||0
A 1 2|||U:VERB||||||REQUIRED|||-NONE-|||1
A 1 2|||U:VERB||||||REQUIRED|||-NONE-|||1

S He told to me a funny history .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||1
A 6 7|||R:NOUN|||story|||REQUIRED|||-NONE-|||1

