S Я їду в школу на автобус .
A 2 3|||Spelling|||до|||REQUIRED|||-NONE-|||0
A 3 4|||G/Case|||школи|||REQUIRED|||-NONE-|||0
A 5 6|||G/Case|||автобусі|||REQUIRED|||-NONE-|||0
A 5 6|||G/Case|||автобусі|||REQUIRED|||-NONE-|||1

S Вона дуже любе читати книги .
A 2 3|||Spelling|||любить|||REQUIRED|||-NONE-|||0
A 2 3|||Spelling|||любить|||REQUIRED|||-NONE-|||1
A 4 5|||F/Style|||книжки|||REQUIRED|||-NONE-|||1

S Ми живемо в Києві вже п'ять років .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Він приймає участь у змаганнях .
A 1 3|||F/Calque|||бере участь|||REQUIRED|||-NONE-|||0
A 1 2|||F/Calque|||бере|||REQUIRED|||-NONE-|||1

S Дякую вас за допомогу !
A 1 2|||G/Case|||вам|||REQUIRED|||-NONE-|||0
A 1 2|||G/Case|||вам|||REQUIRED|||-NONE-|||1

S На протязі року я вивчав мову .
A 0 2|||F/Calque|||Протягом|||REQUIRED|||-NONE-|||0
A 0 2|||F/Calque|||Упродовж|||REQUIRED|||-NONE-|||1
A 6 6|||M|||, а потім працював|||REQUIRED|||-NONE-|||1

S 2 + 2 = 4 .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S 3 + 3 = 6
A 5 5|||Punctuation|||.|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

