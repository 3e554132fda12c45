S I has two brother .
A 1 2|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||brothers|||REQUIRED|||-NONE-|||0

