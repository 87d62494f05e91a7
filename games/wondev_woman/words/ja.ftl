title = Wondev Woman
push = { $bot } が { $other } のユニットを押し出す。
blocked = { $bot } が見えないユニットに阻まれ、何も建たない。
point = { $bot } が頂上に立つ: { $points } 点。
lead = { $bot } が { $points } 点で首位に立つ。
last_chance = { $bot } の合法手はあと1つ。
stuck = { $bot } には合法手がない。
accepted_defeat = { $points } 点で負けを認めた
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


## ビューアの語

viewer-legal_actions = 合法手
viewer-height = 高さ
viewer-closed = 通行不可
viewer-no_cell = マスなし
viewer-unit = ユニット
viewer-hidden = 視界外
