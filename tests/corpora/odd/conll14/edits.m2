S He need a new bicycle .
A 1 2|||Vform|||needs|||REQUIRED|||-NONE-|||0
A 1 2|||SVA|||needs|||REQUIRED|||-NONE-|||1
A 2 4|||Wci|||another|||REQUIRED|||-NONE-|||1

S There is many cars in the street .
A 1 2|||SVA|||are|||REQUIRED|||-NONE-|||0
A 1 2|||SVA|||are|||REQUIRED|||-NONE-|||1

S I look forward to meet you .
A 4 5|||Vform|||meeting|||REQUIRED|||-NONE-|||0
A 4 5|||Vform|||meeting|||REQUIRED|||-NONE-|||1

