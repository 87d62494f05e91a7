"""Names of bots that look alike are one name; what nobody sees in a name is taken out."""

import re
import unicodedata
from itertools import chain, count

from django.db import migrations, models

import ladder.names
from ladder.names import name_key, name_look

NAME_LENGTH_MAX = 40
UNSEEN = "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\ufe00-\ufe0e\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
MARKS_MAX = 3


def looks_fill(apps, schema_editor):
    """Give each bot its look; of those that look alike, house bots and then the oldest keep their names."""
    Bot = apps.get_model("ladder", "Bot")
    taken = set()
    bots = list(Bot.objects.only("game", "name").order_by("-is_house", "pk"))
    for bot in bots:
        bot.name = free_name(bot.game, seen(bot.name), taken)
        bot.name_key, bot.name_look = name_key(bot.name), name_look(bot.name)
        taken |= taking(bot.game, bot.name)
    Bot.objects.bulk_update(bots, ["name", "name_key", "name_look"], batch_size=500)


def seen(name):
    """Return a name as it is taken from now on: without invisible letters, heaps of accents and rows of spaces."""
    kept = ""
    for sign in re.sub(UNSEEN, "", name):
        if not is_mark(sign) or not all(map(is_mark, kept[-MARKS_MAX:])):  # nor is it kept before all letters
            kept += sign
    return " ".join(unicodedata.normalize("NFKC", kept).replace("\u1680", " ").split()) or "bot"


def is_mark(sign):
    return unicodedata.category(sign) in ("Mn", "Me")


def free_name(game, name, taken):
    names = (name[: NAME_LENGTH_MAX - len(end)] + end for end in chain([""], (f" {n}" for n in count(2))))
    return next(name for name in names if not taking(game, name) & taken)


def taking(game, name):
    return {(game, "key", name_key(name)), (game, "look", name_look(name))}


class Migration(migrations.Migration):
    dependencies = [("ladder", "0016_held_until")]

    operations = [
        migrations.AddField("bot", "name_look", ladder.names.NameLookField(default=""), preserve_default=False),
        migrations.RunPython(looks_fill, migrations.RunPython.noop),
        migrations.AddConstraint(
            "bot", models.UniqueConstraint(fields=("game", "name_look"), name="bot_name_looks_unique_in_game")
        ),
    ]
