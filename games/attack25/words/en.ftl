title = Attack 25
chance = Attack Chance: who takes this panel also makes one empty.
capture = { $bot } turns over { panels }.
capture_most = { $bot } turns over { panels }, the most so far.
panels =
    { $panels ->
        [one] { $panels } panel
       *[other] { $panels } panels
    }
erased = { $bot } makes panel { $number } of { $owner } empty again.
erased_own = { $bot } makes panel { $number }, just taken, empty again.
lead = { $bot } takes the lead with { panels }.
more-points = { $points ->
        [one] { $points } panel
       *[other] { $points } panels
    } to { $other } by { $second }
equal-points = { $points ->
        [one] { $points } panel
       *[other] { $points } panels
    } each
wiped = { $bot } loses the last of its panels.
broke = { $bot } has spent all its chips.
invalid_bid = { $bot } gives an invalid answer: it counts as a bid of 0 (fault { $number } of { $most }).
invalid_pick = { $bot } gives an invalid answer: the rules pick for it (fault { $number } of { $most }).


## Rulesets and options

ruleset-bid = Auction: who bids most picks
ruleset-order = In turn: the order is drawn by lot


## Words of the viewer

viewer-chips = Chips
viewer-bid = Bid
viewer-panel = panel of
viewer-neutral = neutral
viewer-choice = may be taken by
