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


## 対戦する人の画面

input-screen = 両方のフィールド。下の文字の盤面にも同じ内容があります。
input-ready = 準備はいいですか?
input-paused = 一時停止
input-start = 始める
input-go_on = 続ける
input-pace = 速さ
input-slow = ゆっくり
input-normal = ふつう
input-fast = 速い
input-keys = ← → 移動、Z・X・↑ 回転、↓ 早く落とす、スペース 一気に落とす、P 一時停止。マウス: 列を指してクリックで落とし、右ボタンで回転。
input-touch = ドラッグで移動、タップでその側に回転、下に引くと早く落ち、下にはじくと一気に落ちます。
input-left = 左
input-right = 右
input-turn_left = 左回転
input-turn_right = 右回転
input-soft = 早く落とす
input-hard = 一気に落とす
input-pause = 一時停止
input-next = ネクスト
input-no_room = そこには組ぷよが入りません。
input-chain = { $steps }連鎖
input-all_clear = 全消し!
input-pair = 組ぷよ: 上が{ $child }、下が{ $axis }。次: 上が{ $next_child }、下が{ $next_axis }。
input-chain_told = { $name }: { $steps }連鎖。
input-coming_told = おじゃまぷよの予告は { $puyos } 個。
input-garbage = おじゃま
input-red = 赤
input-yellow = 黄
input-green = 緑
input-blue = 青
input-purple = 紫
