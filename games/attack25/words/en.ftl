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


## Words of a player's input

input-choose_bid = Round { $round }: your bid? You have { $chips } chips.
input-choose_bid_chance = Attack Chance: your bid? You have { $chips } chips.
input-choose_centre = Take the panel in the centre.
input-choose_flips = Take a lit panel: it turns others.
input-choose_prepares = Take a lit panel: it prepares a turn.
input-choose_touches = Take a lit panel next to an owned one.
input-choose_chance = Attack Chance: take a lit panel first.
input-choose_empty = You take { $number }. Which panel is emptied?
input-turns = { $number } turns { $count }
input-ties = Ties go to the first of: { $order }
input-bag = Colours still in the bag: { $order }
input-your_bid = Your bid in chips
input-bid_chips = Bid { $chips }
input-undo = Undo
input-keys = digits: bid · arrows: change it, or move on the board · Enter: send · Backspace: undo
