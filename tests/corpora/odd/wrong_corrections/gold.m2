S He lives on Rome
A 2 3|||Prep|||in|||REQUIRED|||-NONE-|||0
A 2 3|||Prep|||in|||REQUIRED|||-NONE-|||1

S Wait in station please
A 1 2|||Prep|||at|||REQUIRED|||-NONE-|||0
A 2 2|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 1 2|||Prep|||on|||REQUIRED|||-NONE-|||1
A 2 2|||ArtOrDet|||the|||REQUIRED|||-NONE-|||1

S Buy dog today um
A 1 1|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 3 4|||Um||||||REQUIRED|||-NONE-|||0
A 1 1|||ArtOrDet|||a||the|||REQUIRED|||-NONE-|||1
