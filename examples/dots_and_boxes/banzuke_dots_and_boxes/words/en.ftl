title = Dots and Boxes
boxes = { $bot } takes { $count ->
    [one] a box
   *[other] { $count } boxes in a row
}.
lead = { $bot } takes the lead.
