S 我 看 花 多 。
T0-A0 我 看 了 多 花 。
A 2 2|||M|||了|||REQUIRED|||-NONE-|||0
A 2 4|||W|||多 花|||REQUIRED|||-NONE-|||0
T0-A1 我 看 了 多 花 。
A 2 2|||M|||了|||REQUIRED|||-NONE-|||0
A 2 3|||R|||-NONE-|||REQUIRED|||-NONE-|||0
A 4 4|||M|||花|||REQUIRED|||-NONE-|||0
T1-A0 我 看 多 花 。
A 2 4|||W|||多 花|||REQUIRED|||-NONE-|||1

S 他 很 高 兴 。
T0 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
T1 没有标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||1
