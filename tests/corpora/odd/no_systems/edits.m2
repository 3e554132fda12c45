S He do not knows it .
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:FORM|||know|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||1
A 3 4|||R:VERB:FORM|||know|||REQUIRED|||-NONE-|||1
A 4 5|||R:PRON|||that|||REQUIRED|||-NONE-|||1

S I am here since Monday .
A 1 2|||R:VERB:TENSE|||have been|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:TENSE|||have been|||REQUIRED|||-NONE-|||1

