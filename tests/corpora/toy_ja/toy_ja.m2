S 私 は 昨日 学校 を 行き まし た 。
A 4 5|||R:PART|||に|||REQUIRED|||-NONE-|||0
A 4 5|||R:PART|||へ|||REQUIRED|||-NONE-|||1

S 彼 は 日本 語 が 上手 に 話し ます 。
A 4 5|||R:PART|||を|||REQUIRED|||-NONE-|||0
A 4 5|||R:PART|||を|||REQUIRED|||-NONE-|||1

S この 本 は とても 面白い でし た 。
A 4 7|||R:INFL|||面白かっ た です|||REQUIRED|||-NONE-|||0
A 4 7|||R:INFL|||面白かっ た です|||REQUIRED|||-NONE-|||1

S 今日 は 天気 が いい です 。
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S 友達 と 会う の を 楽しみ し て い ます 。
A 1 2|||R:PART|||に|||REQUIRED|||-NONE-|||0
A 6 6|||M:PART|||に|||REQUIRED|||-NONE-|||0
A 6 6|||M:PART|||に|||REQUIRED|||-NONE-|||1

S 駅 で 電車 を 乗り まし た 。
A 3 4|||R:PART|||に|||REQUIRED|||-NONE-|||0
A 2 4|||R:PART|||電車 に|||REQUIRED|||-NONE-|||1
A 4 5|||R:VERB|||乗っ|||REQUIRED|||-NONE-|||1
A 5 6|||U:AUX||||||REQUIRED|||-NONE-|||1

S 日本 に 住ん で 三 年 です 。
A 4 4|||M:PART|||から|||REQUIRED|||-NONE-|||0
A 2 7|||R:OTHER|||三 年 住ん で い ます|||REQUIRED|||-NONE-|||1

S 先生 が くれ た 宿題 は 難しい だっ た 。
A 6 8|||R:INFL|||難しかっ|||REQUIRED|||-NONE-|||0
A 1 3|||R:VERB|||に もらっ|||REQUIRED|||-NONE-|||1
A 6 8|||R:INFL|||難しかっ|||REQUIRED|||-NONE-|||1

S 彼女 は 音楽 を 好き です 。
A 3 4|||R:PART|||が|||REQUIRED|||-NONE-|||0
A 3 4|||R:PART|||が|||REQUIRED|||-NONE-|||1

S 毎日 漢字 を 勉強 する が 、 すぐ 忘れる 。
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB|||忘れ て しまう|||REQUIRED|||-NONE-|||1

S 図書館 で は 静か し て ください 。
A 4 4|||M:PART|||に|||REQUIRED|||-NONE-|||0
A 4 4|||M:PART|||に|||REQUIRED|||-NONE-|||1

S 昨日 の 晩 ご飯 は 寿司 を 食べ た 。
A 4 5|||R:PART|||に|||REQUIRED|||-NONE-|||0
A 2 4|||R:NOUN|||夕食|||REQUIRED|||-NONE-|||1
A 4 5|||R:PART|||に|||REQUIRED|||-NONE-|||1

S 日本 の 夏 は 暑い と 湿度 が 高い 。
A 4 6|||R:INFL|||暑く て|||REQUIRED|||-NONE-|||0
A 4 5|||R:INFL|||暑く|||REQUIRED|||-NONE-|||1
A 5 6|||R:PART|||て|||REQUIRED|||-NONE-|||1

S 電車 が 遅れ た の で 、 会議 に 遅刻 し た 。
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S 私 の 趣味 は 写真 を 撮り ます 。
A 6 8|||R:VERB|||撮る こと です|||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB|||撮る|||REQUIRED|||-NONE-|||1
A 7 8|||R:OTHER|||こと です|||REQUIRED|||-NONE-|||1

S この 部屋 は 広く て 明るい くて 好き です 。
A 5 7|||R:INFL|||明るく て|||REQUIRED|||-NONE-|||0
A 5 6|||R:INFL|||明るく|||REQUIRED|||-NONE-|||1
A 6 7|||R:PART|||て|||REQUIRED|||-NONE-|||1
A 3 4|||R:ADJ|||大きく|||REQUIRED|||-NONE-|||1

