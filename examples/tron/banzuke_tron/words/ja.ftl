title = Tron
ruleset-normal = 通常の盤
ruleset-small = 小さい盤

into-wall = { $bot }が壁に衝突しました。
into-own-trail = { $bot }が自分の軌跡に衝突しました。
into-trail = { $bot }が{ $other }の軌跡に衝突しました。
head-on =
    { $count ->
        [2] { $bot }と{ $other }が正面衝突しました。
        [3] { $bot }、{ $other }、{ $third }が正面衝突しました。
       *[4] { $bot }、{ $other }、{ $third }、{ $fourth }が正面衝突しました。
    }
last-two = 残りは{ $bot }と{ $other }の2台です。

rides-last = { $cells }マスを走り、最後まで残りました
crashed-together = 同じターンに衝突しました

no-direction = 回答は{ $answer }ですが、UP、RIGHT、DOWN、LEFTのどれかでなければなりません。

viewer-space = 陣地
viewer-free = 空き
viewer-trail = 軌跡：
viewer-head = 先頭：
viewer-start = 出発点：
viewer-crash = 衝突：
