S She like to swims .
A 1 2|||R:VERB:SVA|||likes|||REQUIRED|||-NONE-|||0
A 5 7|||R:NOUN|||a lot|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||likes|||REQUIRED|||-NONE-|||1
A 3 4|||R:VERB:FORM|||swim|||REQUIRED|||-NONE-|||1

S They plays football .
A 1 2|||R:VERB:SVA|||play|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||play|||REQUIRED|||-NONE-|||1

