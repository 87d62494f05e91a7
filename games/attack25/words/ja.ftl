title = アタック25
chance = アタックチャンス: このパネルを取った人は、パネルを1枚空きに戻す。
capture = { $bot } が { $panels } 枚を裏返す。
capture_most = { $bot } が { $panels } 枚を裏返す。ここまでの最多。
erased = { $bot } が、{ $owner } のものだった { $number } 番を空きに戻す。
erased_own = { $bot } が、取ったばかりの { $number } 番を空きに戻す。
lead = { $bot } が { $panels } 枚で首位に立つ。
more-points = { $points } 枚対 { $second } の { $other } 枚
equal-points = それぞれ { $points } 枚
wiped = { $bot } が最後のパネルを失う。
broke = { $bot } がチップを使い切る。
invalid_bid = { $bot } の答えが無効: 0の入札として扱う（{ $most }回中{ $number }回目の反則）。
invalid_pick = { $bot } の答えが無効: ルールに従って代わりに選ぶ（{ $most }回中{ $number }回目の反則）。


## Rulesets and options

ruleset-bid = オークション:最高額の入札者が選ぶ
ruleset-order = 順番制:順番は抽選で決まる


## ビューアの語

viewer-chips = チップ
viewer-bid = 入札
viewer-panel = パネル
viewer-neutral = 中立
viewer-choice = 取れる色


## 対局者の操作の言葉

input-choose_bid = 第 { $round } ラウンド：入札額は？ チップ { $chips } 枚
input-choose_bid_chance = アタックチャンス：入札額は？ チップ { $chips } 枚
input-choose_centre = 中央のパネルを取ってください。
input-choose_flips = 光っているパネルを。はさんだ分が変わります。
input-choose_prepares = 光っているパネルを。次にはさむ準備です。
input-choose_touches = 光っているパネル（隣接）を取ってください。
input-choose_chance = アタックチャンス：まず光っているパネルを取ってください。
input-choose_empty = { $number } を取ります。どのパネルを消しますか？
input-turns = { $number }（{ $count } 枚変わる）
input-ties = 同額なら先の色が勝ち：{ $order }
input-bag = 袋に残っている色：{ $order }
input-your_bid = 入札するチップ
input-bid_chips = { $chips } 枚で入札
input-undo = 取り消す
input-keys = 数字：入札額・矢印：増減、または盤の移動・Enter：送信・Backspace：取り消し
