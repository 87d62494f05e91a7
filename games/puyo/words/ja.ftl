title = ぷよぷよ
chain = { $bot } の{ $steps }連鎖: { $points } 点。
all_clear = { $bot } が全消し: 次の連鎖でおじゃまぷよを30個多く送る。
garbage = { $bot } におじゃまぷよが { $puyos } 個降る。
danger = { $bot } にはもうほとんど余裕がない。
lead = { $bot } が { $points } 点で首位に立つ。
no_room = { $other } は置く場所がない
no_room_at_all = どちらも置く場所がない
no_numbers = 答えは { $answer } でしたが、2 0 のように列と回転でなければなりません。
out_of_range = 答えは { $answer } でしたが、列は 0 から { $most }、回転は 0 から 3 まででなければなりません。
beyond_edge = { $answer } では組ぷよの一部がフィールドの外に出ます。
unreachable = 組ぷよを { $answer } に運べません。列の高さは { $heights } です。


## Rulesets and options

ruleset-tsu = 通
ruleset-smash_the_code = Smash the Code(質問に得点あり)
ruleset-smash_the_code_contest = Smash the Code(2016年の大会と同じ)


## ビューアの語

viewer-garbage_waits = 予告ぷよ
viewer-chain = 連鎖
viewer-empty = 空
viewer-garbage = おじゃま
viewer-red = 赤
viewer-yellow = 黄
viewer-green = 緑
viewer-blue = 青
viewer-purple = 紫
