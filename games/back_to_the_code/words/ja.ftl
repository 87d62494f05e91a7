title = Back to the Code
enclosed = { $bot } が囲いを完成: { $cells } マス。
lead = { $bot } が { $cells } マスで首位に立つ。
rings = { $bot } の囲いは合計 { $rings } 個: { $cells } マス。
more-points = { $points } マス対 { $second } の { $other } マス
equal-points = それぞれ { $points } マス
back = { $bot } が BACK: ラウンド { $round } に戻り、{ $cells } マスが中立に戻る。
back_wasted = { $bot } が最初のラウンドで BACK: 何も起こらない。
settled = もう順位は変わらない。あと1ターン行う。
no_order = 答えは { $answer } でしたが、x y か BACK k でなければなりません。
back_too_far = 答えは BACK { $rounds } でしたが、1 から { $most } まででなければなりません。
second_back = 2回目の BACK でしたが、BACK は1試合に1回だけです。
off_board = 答えは { $axis } = { $value } でしたが、{ $axis } は 0 から { $most } まででなければなりません。


## Rulesets and options

ruleset-contest = 大会と同じルール
option-width = 盤の幅
option-height = 盤の高さ
option-rounds = ラウンド数


## ビューアの語

viewer-back_left = BACK 残り
viewer-area = 陣地
viewer-agent = エージェント
viewer-neutral = 中立


## 対局者の操作の言葉

input-choose_step = 隣へ進むか、行き先を選んでください。
input-here = 現在地は { $cell } です。
input-walking = { $cell } へ移動中…
input-choose_back = { $rounds } ラウンド前の盤です。
input-step = { $cell } へ進む
input-stay = とどまる
input-stop = 止まる
input-back = 時間を戻す…
input-rounds = 戻るラウンド数
input-go_back = { $rounds } 戻る
input-cancel = やめる
input-keys = 矢印、テンキー、W A S D：進む・Space：とどまる・B：時間を戻す・Backspace：止まる
