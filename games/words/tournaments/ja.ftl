# What tournaments say on pages and at home; the viewer of a match needs none of it.


## トーナメント

tournament-no-game = このサイトでは、この大会のゲームはもう行われていません。
tournament-not-started = 予定の時刻に開始できませんでした: { $why }
tournament-match-failing = 運営側の問題で、最新のラウンドの卓 { $table } の試合をこれまでに { $times } 回行えませんでした。最後の理由: { $why } 主催者が再開すると、もう一度試みます。
tournament-match-by-hand = 主催者がこの試合の卓の結果を決めました。
tournament-match-forfeit = この試合の卓のボットがもう対戦しないため、この試合は不要になりました。
tournament-match-redrawn = このトーナメントの抽選は取り消されました。


## トーナメント: この組み合わせの理由(主催者の抽選の下見で)

tournament-why-berger = { $members }者のベルガー表の第{ $round }回戦(全{ $rounds }回戦){ $cycles ->
    [1] です。
   *[other] 、{ $cycles }巡のうち{ $cycle }巡目です。
}
tournament-why-combination = { $members }者のうちどの{ $size }者も一度ずつ対戦する表の第{ $round }回戦(全{ $rounds }回戦){ $cycles ->
    [1] です。
   *[other] 、{ $cycles }巡のうち{ $cycle }巡目です。
}
tournament-why-seeding = シード順による組み合わせです。最上位は最下位と対戦し、上位どうしはなるべく遅く対戦します。
tournament-why-bye-seed = 不戦勝です。参加者数がトーナメント表を満たさないため、上位シードは対戦せずに勝ち上がります。
tournament-why-arrivals = 第{ $round_a }回戦第{ $table_a }卓の{ $how_a ->
    [won] 勝者
   *[lost] 敗者
}と、第{ $round_b }回戦第{ $table_b }卓の{ $how_b ->
    [won] 勝者
   *[lost] 敗者
}が対戦します。
tournament-why-winners = 第{ $round }回戦の第{ $tables }卓の勝者が対戦します。
tournament-why-bye-losers = 不戦勝です。第{ $round }回戦第{ $table }卓の{ $how ->
    [won] 勝者
   *[lost] 敗者
}には、敗者側のこの位置に相手がいません。
tournament-why-final = 決勝です。勝者側の優勝者と敗者側の優勝者が対戦します。
tournament-why-reset = 決定戦です。決勝の両者はどちらも1敗です。
tournament-why-third = 3位決定戦です。準決勝の敗者が対戦します。
tournament-why-swiss = 全員が{ $points }点です。同点の{ $count }者のうち、シード順で{ $numbers }番目です。
tournament-why-swiss-floats = 点数は{ $points }点です。全員がまだ対戦していない同点の相手と対戦することはできません。
tournament-why-bye-swiss = 不戦勝で、勝ちと同じ点が入ります。参加者数が卓を満たさないためです。この参加者は{ $points }点で、可能なかぎり、まだ不戦勝のない者から選ばれました。


## トーナメント: ステージの誤り

tournament-fault-stages = トーナメントのステージは1から{ $most }までで、{ $count }ではできません。ステージを増やすか減らしてください。
tournament-fault-entrants = トーナメントの参加者は{ $least }から{ $most }までで、{ $count }ではできません。参加者を増やすか減らしてください。
tournament-fault-table-size = ステージ{ $stage }は{ $size }者の卓ですが、このコンテストのゲームではできません。{ $sizes }から選んでください。
tournament-fault-double-size = ステージ{ $stage }のダブルエリミネーションは2者の卓で行い、{ $size }者ではできません。2者の卓か、シングルエリミネーションを選んでください。
tournament-fault-third-place = ステージ{ $stage }に3位決定戦はありません。2者の卓のシングルエリミネーションだけが行えます。
tournament-fault-limit = ステージ{ $stage }の{ $what ->
    [best-of] 卓ごとの対局数
    [extra] 追加の対局数
    [rounds] 回戦数
    [groups] グループ数
   *[cycles] 巡数
}は{ $value }です。{ $least }から{ $most }までの数を選んでください。
tournament-fault-last-goes-on = ステージ{ $stage }は最後ですが、{ $count }者が次へ進むことになっています。0を入力するか、ステージを追加してください。
tournament-fault-goes-on-few = ステージ{ $stage }は最後ではありませんが、{ $count }者しか次へ進みません。2以上を入力するか、後のステージを取り除いてください。
tournament-fault-goes-on-many = ステージ{ $stage }から{ $count }者が次へ進むことになっていますが、参加者は{ $members }者だけです。進む数を減らしてください。
tournament-fault-few = ステージ{ $stage }の参加者は{ $members }者ですが、1卓に{ $size }者が必要です。卓を小さくするか、参加者を増やしてください。
tournament-fault-groups-small = ステージ{ $stage }は{ $members }者を{ $groups }グループに分けますが、各グループに少なくとも{ $size }者が必要です。グループを減らしてください。
tournament-fault-combinations = ステージ{ $stage }ではグループのどの{ $size }者も対戦するため{ $count }卓になりますが、{ $most }卓までしかできません。グループを増やすか、スイス式を選んでください。
tournament-fault-swiss-rounds = ステージ{ $stage }は{ $members }者で{ $rounds }回戦を行うため、同じ相手と二度対戦することになります。回戦数を{ $members }より少なくするか、総当たりを選んでください。
tournament-fault-bracket = ステージ{ $stage }は{ $members }者では{ $size }者の卓を満たせません。{ $fewer }者か{ $more }者にするか、別の大きさの卓を選んでください。
tournament-fault-matches = このトーナメントには{ $count }試合が必要ですが、{ $most }試合までしかできません。参加者、回戦、巡、対局のいずれかを減らしてください。
