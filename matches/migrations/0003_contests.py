"""Brings each match and each lock into the open contest of its game, whose key is the name of the game."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Exists, F, OuterRef, Q

TALLY_WRONG = Q(kind="ladder") & (Q(state="finished", tallied=False) | Q(state="void", tallied=True))


def locks_drop(apps: Any, schema_editor: Any) -> None:
    # A game without a bot has no contest yet; locks are made anew when they are needed.
    contests = apps.get_model("contests", "Contest").objects.values("slug")
    apps.get_model("matches", "GameLock").objects.exclude(game__in=contests).delete()


def games_copy(apps: Any, schema_editor: Any) -> None:
    apps.get_model("matches", "Match").objects.update(game=F("contest_id"))


def contests_note(apps: Any, schema_editor: Any) -> None:
    """Note in which contests matches were made: their rules cannot be changed any more."""
    played = apps.get_model("matches", "Match").objects.filter(contest=OuterRef("pk"))
    apps.get_model("contests", "Contest").objects.filter(Exists(played)).update(has_matches=True)


class Migration(migrations.Migration):
    dependencies = [("matches", "0002_messages"), ("ladder", "0003_contests"), ("contests", "0002_rules")]

    operations = [
        migrations.RunPython(locks_drop, migrations.RunPython.noop),
        migrations.RemoveIndex("match", "match_by_state"),
        migrations.RemoveIndex("match", "match_rated_newest"),
        migrations.RemoveIndex("match", "match_tally_wrong"),
        migrations.RenameField("match", "game", "contest"),
        migrations.AlterField(
            "match",
            "contest",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="contests.contest",
            ),
        ),
        migrations.AddField("match", "game", models.CharField(max_length=40, default=""), preserve_default=False),
        migrations.RunPython(games_copy, migrations.RunPython.noop),
        migrations.RunPython(contests_note, migrations.RunPython.noop),
        migrations.AddIndex("match", models.Index(fields=["contest", "state", "-id"], name="match_by_state")),
        migrations.AddIndex(
            "match",
            models.Index(condition=Q(kind="ladder"), fields=["contest", "-id"], name="match_rated_newest"),
        ),
        migrations.AddIndex(
            "match", models.Index(condition=TALLY_WRONG, fields=["contest", "id"], name="match_tally_wrong")
        ),
        migrations.RenameModel("GameLock", "BoardLock"),
        migrations.RenameField("boardlock", "game", "contest"),
        migrations.AlterField(
            "boardlock",
            "contest",
            models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="contests.contest"
            ),
        ),
    ]
