S 我 昨 天 去 了 学 校 里 。
A 7 8|||U||||||REQUIRED|||-NONE-|||0
A 7 8|||U||||||REQUIRED|||-NONE-|||1

S 他 很 喜 欢 打 篮 求 。
A 6 7|||Spelling|||球|||REQUIRED|||-NONE-|||0
A 5 7|||Spelling|||篮 球|||REQUIRED|||-NONE-|||1

S 我 们 在 北 京 住 了 三 年 了 。
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 9 10|||U||||||REQUIRED|||-NONE-|||1

S 这 本 书 是 很 有 意 思 。
A 3 4|||U||||||REQUIRED|||-NONE-|||0
A 3 4|||U||||||REQUIRED|||-NONE-|||1

S 他 比 我 很 高 。
A 3 4|||R|||更|||REQUIRED|||-NONE-|||0
A 3 4|||U||||||REQUIRED|||-NONE-|||1

S 我 见 面 了 我 的 朋 友 。
A 1 8|||W|||和 我 的 朋 友 见 了 面|||REQUIRED|||-NONE-|||0
A 1 1|||M|||跟 我 的 朋 友|||REQUIRED|||-NONE-|||1
A 4 8|||U||||||REQUIRED|||-NONE-|||1

S 今 天 天 气 很 好 。
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S 我 把 作 业 写 。
A 5 5|||M|||完 了|||REQUIRED|||-NONE-|||0
A 5 5|||M|||了|||REQUIRED|||-NONE-|||1

S 老 师 教 我 们 写 汉 子 。
A 7 8|||Spelling|||字|||REQUIRED|||-NONE-|||0
A 7 8|||Spelling|||字|||REQUIRED|||-NONE-|||1

S 她 唱 歌 唱 的 很 好 听 。
A 4 5|||Spelling|||得|||REQUIRED|||-NONE-|||0
A 4 5|||Spelling|||得|||REQUIRED|||-NONE-|||1
A 5 6|||R|||非 常|||REQUIRED|||-NONE-|||1

S 我 已 经 吃 饭 。
A 4 4|||M|||完|||REQUIRED|||-NONE-|||0
A 5 5|||M|||了|||REQUIRED|||-NONE-|||0
A 5 5|||M|||了|||REQUIRED|||-NONE-|||1

S 因 为 下 雨 , 我 没 去 公 园 。
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 5 5|||M|||所 以|||REQUIRED|||-NONE-|||1

