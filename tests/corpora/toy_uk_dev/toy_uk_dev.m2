S Я їду в школу на автобус .
A 2 3|||Spelling|||до|||REQUIRED|||-NONE-|||0
A 3 4|||G/Case|||школи|||REQUIRED|||-NONE-|||0
A 5 6|||G/Case|||автобусі|||REQUIRED|||-NONE-|||0
A 5 6|||G/Case|||автобусі|||REQUIRED|||-NONE-|||1

S Мій брат любе грати в футбол .
A 2 3|||Spelling|||любить|||REQUIRED|||-NONE-|||0
A 4 5|||Spelling|||у|||REQUIRED|||-NONE-|||1

S Ми вивчали мову рік .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

