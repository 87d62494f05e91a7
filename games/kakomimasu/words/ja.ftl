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


## 対局者の操作の言葉

input-choose_put = エージェント { $agent }：置くマスを選んでください。
input-choose_cell = エージェント { $agent }：移動、壁の撤去、停留のどれかを選んでください。
input-choose_remove = エージェント { $agent }：どの壁を撤去しますか？
input-ready = すべてのエージェントに指示を出しました。
input-conflict = エージェント { $agents } の行き先が同じです。どれも入れません。
input-blocked = エージェント { $agent } の行き先には停留するエージェントがいて、入れません。
input-put = エージェント { $agent } を { $cell } に置く（{ $points } 点）
input-move = エージェント { $agent } は { $cell } へ移動（{ $points } 点）
input-remove_wall = エージェント { $agent } は { $cell } の壁を撤去（{ $points } 点）
input-none = エージェント { $agent } は停留
input-agent_number = エージェント { $agent }
input-shift = マスをずらす
input-next_agent = 次のエージェント
input-removing = 壁を撤去します。
input-moving = 移動します。
input-undone = 取り消しました。
input-remove = 撤去
input-undo = 取り消す
input-send = 送信
input-send_rest = 送信（残り { $count } は停留）
input-keys = 数字：エージェント・Space：次・矢印、テンキー、QWE ASD ZXC：マス・R：撤去・Enter：送信
