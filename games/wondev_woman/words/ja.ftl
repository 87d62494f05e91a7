title = Wondev Woman
lead = { $bot } が { $points } 点で首位に立つ。
push =
    { $times ->
        [1] { $bot } が { $other } のユニットを押し出した。
       *[other] { $bot } が { $other } のユニットを { $times } 回続けて押し出した。
    }
blocked =
    { $times ->
        [1] { $bot } が見えないユニットに阻まれ、何も建たなかった。
       *[other] { $bot } が { $times } 回続けて見えないユニットに阻まれ、何も建たなかった。
    }
point =
    { $times ->
        [1] { $bot } が頂上に立った: { $points } 点。
       *[other] { $bot } が { $times } 回続けて頂上に立った: { $points } 点。
    }
top = 頂上に立った
accepts_defeat = 負けを認めた
cannot_act = 合法手がない
last_chance = { $bot } の合法手はあと1つ。
no_action = 答えは { $answer } でしたが、MOVE&BUILD 0 N SW のような行動でなければなりません。
no_unit = ユニット { $unit } はありません。最初のユニットは 0 です。
illegal_action = { $action } は合法手ではありません。{ $why }

InvalidCommand = このリーグに PUSH&BUILD はありません。
BadCoords = 移動先のマスがありません。
InvalidMove = 移動先のマスが2段以上高いです。
MoveTooHigh = 移動先のマスは高さ4で、もう使えません。
MoveOnUnit = 移動先のマスにユニットがいます。
InvalidPlace = 建てるマスがありません。
PlaceTooHigh = 建てるマスは高さ4で、もう使えません。
PlaceOnUnit = 建てるマスにユニットがいます。
PushInvalid = 押す向きはまっすぐか1つ隣で、行き先は高くても1段上の、まだ使えるマスでなければなりません。
PushVoid = 押す相手がいません。
FriendlyFire = 味方のユニットは押せません。
PushOnUnit = 押し出す先のマスにユニットがいます。


## Rulesets and options

ruleset-league3 = リーグ3:霧
ruleset-league2 = リーグ2:ユニット2体と押し出し
ruleset-league1 = リーグ1:ユニット1体、得点制
ruleset-league0 = リーグ0:ユニット1体、先に頂上に立てば勝ち
option-map = マップ
option-symmetric = 対称な開始位置
option-java_seed = 大会の生成器のシード


## ビューアの語

viewer-legal_actions = 合法手
viewer-height = 高さ
viewer-closed = 通行不可
viewer-no_cell = マスなし
viewer-unit = ユニット
viewer-hidden = 視界外


## 対局者の操作の言葉

input-choose_unit = あなたの番です。ユニットを選んでください。
input-choose_move = { $unit } はどこへ動きますか？
input-choose_move_or_push = { $unit }：移動か、押すか？
input-choose_build = { $cell } へ動きます。どこに建てますか？
input-choose_push = どちらへ押しますか？
input-no_action_left = できる行動はもうありません。
input-accept_defeat = 負けを認める
input-unit_number = ユニット { $unit }
input-undo = 取り消す
input-keys = 1、2：ユニット・矢印、テンキー、QWE A D ZXC：隣のマス・Backspace：取り消し
