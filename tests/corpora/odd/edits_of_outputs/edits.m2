S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S 
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S We is here .
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0

