# The sentences of the game, in the format of https://projectfluent.org. $bot is the name of the bot that an event is
# about; the other values are those that the rules give. A further language is a further file, such as ja.ftl.

title = New game
ruleset-standard = Standard
ruleset-small = Small board

## Events

clash = { $cells ->
        [one] Bots want the same cell: it becomes a rock.
       *[other] Bots want the same { $cells } cells: they become rocks.
    }
stuck = { $bot } is shut in with { $cells ->
        [one] { $cells } cell.
       *[other] { $cells } cells.
    }

## Refusals: why an answer is illegal

not-beside = The cell { $cell } is not free, or not beside the bot's own land.
