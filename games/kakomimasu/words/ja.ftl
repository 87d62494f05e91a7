title = 囲みマス
enclosed = { $bot } が囲いを完成: { $cells } マス、{ $points } 点。
lost = { $bot } が陣地を失う: { $cells } マス、{ $points } 点。
lead = { $bot } が { $points } 点で首位に立つ。
rings = { $bot } の囲いは合計 { $rings } 個: { $cells } マス、{ $points } 点。
tie-broken = 同じ { $points } 点だが、壁の点で上回る
line_each = 答えは { $count } 行でしたが、{ $agents } 体のエージェントに1行ずつ必要です。
no_order = 答えの { $line } 行目は { $answer } でしたが、PUT x y、MOVE x y、REMOVE x y、NONE のどれかでなければなりません。


## Rulesets and options

ruleset-present = 現行の囲み判定
ruleset-2020 = 2020年の囲み判定
option-board = 公開されている盤面
option-agents = ボットごとのエージェント数
option-turns = ターン数


## ビューアの語

viewer-walls = 壁
viewer-areas = 陣地
viewer-wall = 壁
viewer-area = 陣地
viewer-agent = エージェント
