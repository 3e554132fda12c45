S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S 
A 0 0|||M:OTHER|||Text|||REQUIRED|||-NONE-|||0

S We is here .

