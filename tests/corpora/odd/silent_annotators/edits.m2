S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S We is here .
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||1

S All is well .

