# すべてのゲームに共通の文: サンドボックス、ビルド、ワーカー、アリーナ。


## サンドボックス: プログラムの違反

bot-forbidden-call = 禁止されたシステムコールを呼び出したため、強制終了されました。
bot-killed = シグナル { $signal } で終了しました。
bot-exited = 答える前に終了コード { $code } で終了しました。
bot-exited-half = 終了コード { $code } で終了しました。{ $why }
bot-half-line = 答えの最後の行に改行がありません。
bot-few-lines = 答えの行数が、求められたより少なかったのです。
bot-memory = メモリの上限 { $limit } MiB に達したため、強制終了されました。
bot-cpu = CPU 時間を { $used } ms 使いました。{ $what ->
    [start] 起動
    [step] この手順
   *[turn] このターン
}の上限は { $limit } ms です。
bot-cpu-bank = CPU 時間を { $used } ms 使いました。{ $what ->
    [start] 起動
    [step] この手順
   *[turn] このターン
}の上限は { $limit } ms で、貯金は { $bank } ms でした。
bot-slow = CPU 時間は { $used } ms しか使っていないのに、{ $limit } ms 以内に{ $what ->
    [start] 起動
    [step] この手順
   *[turn] このターン
}を終えませんでした。{ $lacks ->
    [line-break] 答えの最後の行に改行がありません。
    [lines] 答えの行数が、求められたより少なかったのです。
   *[all] 何かを待っていました。
}
bot-rested = 全ターンを合わせて { $limit } ms より長く、何かを待っていました。計算するか、すぐに答えてください。
bot-closed-output = 標準出力を閉じたまま動き続けました。
bot-early-output = 質問される前に標準出力に書きました。
bot-late-output = 次の質問の前に、答えより多くのものを書いていました。
bot-no-utf8 = 答えが UTF-8 のテキストではありません。
bot-nul = 答えがテキストではありません。NUL 文字が入っています。
bot-long-output = 答えを終えないまま { $limit } バイトより多く書きました。
machine-overloaded = マシンの負荷が高すぎます。実行できる状態のプログラムが、{ $limit } ms の間に CPU 時間を { $used } ms しか得られませんでした。
machine-short-of-memory = マシンのメモリが足りません。上限 { $limit } MiB のうち { $held } MiB しか使っていないプログラムを、カーネルが終了させました。


## ビルド

build-fault = ビルド: { $why }
build-rested = 計算をせずに { $limit } ms より長く、何かを待っていました。ビルド中に待機したり、入力を待ったりしないでください。
build-check-fault = 確認試合のターン { $turn }: { $why }
build-check-rules = 確認試合のターン { $turn }: { $why }ここではこのゲームをルール { $ruleset } で行います（{ $others } ではありません）。プログラムが読み書きするものを、ゲームのページと比べてください。
build-step-output = この手順が残したデータの量が上限を超えました。
build-step-left = この手順が残したものを受け付けられません: { $why }
build-left-link = ビルドが作った { $name } はリンクか、普通のファイルではありません。プログラムに必要なものだけを残してください。
build-left-files = ビルドが { $most } 個より多くのファイルを作りました。プログラムに必要なものだけを残してください。
build-left-size = ビルドが { $most } MiB より大きいものを作りました。プログラムに必要なものだけを残してください。
build-no-program = アップロードにプログラムが見つかりません。入っているもの: { $holds }{ $more ->
    [0] {""}
   *[other] 、ほか { $more } 個
}。探したのは、次の名前のファイル、なければ main 関数または次の拡張子を持つただ1つのファイルです（最上位、次にすべてのフォルダー）。{ $wanted }。
build-nothing = プログラムが見つかりません。アップロードにファイルがありません。探したのは、次の名前のファイル、なければ main 関数または次の拡張子を持つただ1つのファイルです（最上位、次にすべてのフォルダー）。{ $wanted }。
build-two-programs = どれがプログラム本体なのか判断できません: { $names }。1つだけ残すか、言語を指定してください。
build-two-mains = どれも main 関数を持つため、どれがプログラム本体なのか判断できません: { $names }。対戦させる1つだけを { $entry } という名前にしてください。
build-unknown-language = 言語 { $name } はここにはありません。あるのは { $known } です。
build-older-language = プログラムは { $older } で書かれていますが、ここの言語は { $language } です。
build-newer-language = プログラムは、ここにある { $version } より新しい言語で書かれています。使われているもの: { $features }。
build-newer-statements = プログラムに Main 関数がありません。文がクラスの外に書かれているなら、ここにある { $version } より新しい言語です。文を static void Main() の中に入れてください。
build-no-crate = プログラムが使う { $names } は、プログラムのモジュールでも、ここにあるクレートでもありません。Rust のプログラムで使えるクレートは { $crates } だけです。
build-invalid = 正しい { $language } のプログラムではありません。
build-language-not-allowed = このボットの言語は { $language } です。この大会で使える言語は次のとおりです：{ $allowed }。
build-no-language = このアリーナに { $language } はありません。
build-defined-twice = { $entry } と同じフォルダーのソースはすべて一つのプログラムになりますが、次のファイルが同じものをもう一度定義しているようです: { $names }。バックアップはアップロードに入れないでください。
build-compiler-stack = コンパイラーのスタックがいっぱいになりました（自分で増やさなければ { $size } MiB）。プログラムの入れ子が深すぎます。
build-compiler-file = コンパイラーが、許された { $size } MiB より大きいファイルを書こうとしました。

tar-damaged = tar が壊れています。
tar-strange = tar のまとめ方が普通ではありません。
tar-link = tar に { $name } が入っていますが、普通のファイルでもフォルダーでもありません。
tar-entries = tar に { $most } 個より多くのファイルとフォルダーが入っています。
tar-size = tar の中身が { $most } MiB を超えています。
tar-long-name = tar に { $name }… が入っていますが、名前が { $most } バイトを超えています。
tar-outside = tar に { $name } が入っていますが、フォルダーの外を指しています。
tar-twice = tar に { $name } がファイルとしてもフォルダーとしても入っています。


## ボットのバージョン

version-platform-failed = 運営側の問題で { $times } 回失敗しました。ボットのせいではありません。最後の理由: { $why }
version-built-missing = ビルド結果が保存領域にありません。
version-check-missing = 確認試合のリプレイが保存領域にありません。
version-withdrawn = 管理者がこのバージョンを取り下げました。
version-withdrawn-why = 管理者がこのバージョンを取り下げました。理由: { $why }
version-disqualified-why = 大会の主催者がこのバージョンを失格にしました。理由: { $why }
version-rebuilt-distrusted = このバージョンをビルドしたワーカーは信頼できなくなったため、v{ $number }としてビルドし直されました。
version-rebuilt-lost = このバージョンのビルド結果が保存領域から失われたため、v{ $number }としてビルドし直されました。
version-newer-first = より新しいバージョンが先に完成したため、このバージョンは対戦しません。
version-game-frozen = このバージョンの準備ができる前にゲームが凍結されたため、対戦しません。


## ワーカーとその報告

worker-failed = ワーカーが失敗しました（{ $error }）。詳しくはワーカーのログにあります。
worker-killed = 作業中のプロセスが強制終了されました。詳しくはワーカーのログにあります。
worker-silent = ワーカーからの応答がなくなりました。
worker-quarantined = このワーカーは隔離中です。
worker-distrusted = この試合を行ったワーカーは信頼できなくなりました: { $why }
worker-overloaded = マシンの負荷が高すぎます。ターン { $turn } で、ほかのプログラムが動いている間、ボットがコアを { $waited } ms 待ちました。
worker-no-language = このワーカーに { $language } はありません。{ $packages } をインストールしてください。
worker-game-failed = { $game }（パッケージ { $package }）のルールでエラーが起きました：{ $error }。ボットのせいではありません。ゲームを一時停止し、作者に知らせてください。
worker-no-game = このワーカーはゲーム { $game } を知りません。更新するか、ゲームのパッケージをインストールしてください。
worker-other-rules = このワーカーの { $game } のルールはバージョン { $here } ですが、試合に必要なのは { $wanted } です。ワーカーとサイトを同じリリースに、ゲームのパッケージを同じバージョンにしてください。
worker-no-memory = 試合のボットは { $needed } MiB まで使えますが、このワーカーの空きメモリは { $total } MiB のうち { $free } MiB で、ほかの試合が { $reserved } MiB を確保しています。メモリを増やすか、同時に行う試合を減らすか、ゲームの上限を下げてください。
report-late = リースが取り上げられた後に報告が届きました。
report-seats = ワーカーが報告した席の数が、試合の席の数と違います。
report-ranks = ワーカーがありえない順位を報告しました。
report-verdict = ワーカーが存在しない違反を報告しました。
report-score = ワーカーが報告した得点が数ではありません。
report-no-replay = ワーカーがリプレイを報告しませんでした。
report-replay-missing = 試合のリプレイが保存領域にありません。
report-replay-broken = ワーカーがリプレイとして保存したものは、リプレイではありません。
report-other-replay = ワーカーが別の試合のリプレイを保存しました。
report-other-result = ワーカーが保存したリプレイの結果が、報告と違います。


## 無効な試合と、終わった非公開テスト

remote-slow = { $seconds } 秒以内に回答がありませんでした。
remote-idle = ほかの人がテーブルを待っている間、{ $seconds } 秒以内に回答がありませんでした。
remote-left = 席を立ちました。
table-lost = この対局は失われました。{ $why } もう一度席を開いてください。
table-left = 始まる前に、プレイヤーが席を閉じました。
table-deserted = プレイヤーは全員席を離れました。
match-platform-failed = 運営側の問題で { $times } 回失敗したため、この試合は無効になりました。最後の理由: { $why }
match-rules-changed = ゲームのルールが変わりました。
match-trial-ended = この試合の目的だった非公開テストが終わりました。
match-final-by = この試合が行われる前に、最終順位表に署名する時刻になりました。
match-voided = 管理者がこの試合を取り消しました。
match-replaced = 管理者がこの試合をやり直させました。
trial-owner-left = 作者のアカウントは閉じられました。
trial-platform-failed = 運営側の問題で行えない試合が多すぎました。しばらくしてからもう一度始めてください。
trial-game-frozen = このゲームは凍結されました。大会は終わっています。
trial-stopped = あなたが中止しました。

## The runner at home: faults of a program

bot-home-time = 答えに { $used } ms かかりました。上限は { $limit } ms で、貯金は { $bank } ms でした。
bot-home-late =
    { $lacks ->
       *[all] 答えが時間内にそろいませんでした。
        [line-break] 答えが時間内にそろいませんでした。最後の行に改行がありません。
    }


## The referee: who is out, and how the match ended; $bot is the name of the bot

fault = { $bot } が脱落。{ $why }
out = { $bot } が脱落: { $why }。
nothing-helps = どう答えても、もう何も変わらない
won = { $bot } の勝ち: { $why }。
drawn =
    { $count ->
        [2] { $first } と { $second } が同点首位
        [3] { $first }、{ $second }、{ $third } が同点首位
       *[4] { $first }、{ $second }、{ $third }、{ $fourth } が同点首位
    }: { $why }。
more-points = { $points } 点対 { $second } の { $other } 点
equal-points = それぞれ { $points } 点
tie-broken = 同じ { $points } 点だが、同点のときのルールで上位
others-out =
    { $count ->
        [1] { $other } が脱落した
       *[other] ほかの全員が脱落した
    }
out-last = ほかの全員が先に脱落した
all-out = 全員が同時に脱落した
forgiven =
    { $count ->
        [1] 1 個の答えが理解できないか、許されないものでした。ターン { $turn } の { $answer } です。
       *[other] { $count } 個の答えが理解できないか、許されないものでした。最初はターン { $turn } の { $answer } です。
    }


## Answers that no game accepts

one-line = 答えは { $count } 行でしたが、1行でなければなりません。
fewer-lines = 答えの行数が、求められた { $count } 行より少ないです。
more-lines = 答えの行数が、求められた { $count } 行より多いです。
wrong-lines = 答えの行数が、求められた { $count } 行ではありません。
no-legal-answer = { $answer } は許される答えではありません。
not-understood = { $answer } は理解できません。
answer-too-long = 答えが { $most } 文字を超えています。
