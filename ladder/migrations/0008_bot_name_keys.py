"""Names of bots are the same whatever their capitals, on every database."""

from itertools import chain, count

from django.db import migrations, models

import ladder.names
from ladder.names import name_key

NAME_LENGTH_MAX = 40


def keys_fill(apps, schema_editor):
    """Give each bot its key; of those that have had one name all along, the younger ones get a number behind it."""
    Bot = apps.get_model("ladder", "Bot")
    taken = set()
    bots = list(Bot.objects.only("game", "name").order_by("pk"))
    for bot in bots:
        bot.name = free_name(bot, taken)
        bot.name_key = name_key(bot.name)
        taken.add((bot.game, bot.name_key))
    Bot.objects.bulk_update(bots, ["name", "name_key"], batch_size=500)


def free_name(bot, taken):
    names = (bot.name[: NAME_LENGTH_MAX - len(end)] + end for end in chain([""], (f" {n}" for n in count(2))))
    return next(name for name in names if (bot.game, name_key(name)) not in taken)


class Migration(migrations.Migration):
    dependencies = [("ladder", "0007_probation_and_notifications")]

    operations = [
        migrations.AddField("bot", "name_key", ladder.names.NameKeyField(default=""), preserve_default=False),
        migrations.RemoveConstraint("bot", "bot_name_unique_in_game"),
        migrations.RunPython(keys_fill, migrations.RunPython.noop),
        migrations.AddConstraint(
            "bot", models.UniqueConstraint(fields=("game", "name_key"), name="bot_name_unique_in_game")
        ),
    ]
