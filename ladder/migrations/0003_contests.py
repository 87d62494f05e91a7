"""Brings each bot into the open contest of its game, which takes over the state, deadline and limits of the game.

A name of a game becomes the key of its contest, so that columns are renamed and no row is written to make them foreign
keys: PostgreSQL alters no table in which such a change waits for its check.
"""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F


def contests_make(apps: Any, schema_editor: Any) -> None:
    settings = {row.game: row for row in apps.get_model("ladder", "GameSetting").objects.all()}
    games = {*settings, *apps.get_model("ladder", "Bot").objects.values_list("game", flat=True).order_by().distinct()}
    contest = apps.get_model("contests", "Contest")
    for game in sorted(games):
        found = settings.get(game)
        kept = {"state": "open"}
        if found:
            kept = {"state": found.state, "reason": found.reason, "limits": found.limits}
            kept["entries_until"] = found.uploads_until
            kept["frozen_at"] = found.changed_at if found.state == "frozen" else None
        rules = {"has_house_bots": True, "has_leagues": True}
        contest.objects.update_or_create(slug=game, defaults={"game": game, **rules, **kept})


def games_copy(apps: Any, schema_editor: Any) -> None:
    apps.get_model("ladder", "Bot").objects.update(game=F("contest_id"))


def contest_field() -> models.ForeignKey:
    protect = django.db.models.deletion.PROTECT
    return models.ForeignKey(db_index=False, on_delete=protect, related_name="+", to="contests.contest")


def bots_contest_field() -> models.ForeignKey:
    protect = django.db.models.deletion.PROTECT
    return models.ForeignKey(db_index=False, on_delete=protect, related_name="bots", to="contests.contest")


class Migration(migrations.Migration):
    dependencies = [("ladder", "0002_version_reason"), ("contests", "0001_initial")]

    operations = [
        migrations.RunPython(contests_make, migrations.RunPython.noop),
        migrations.RemoveConstraint("bot", "bot_name_unique_in_game"),
        migrations.RemoveConstraint("bot", "bot_name_looks_unique_in_game"),
        migrations.RemoveIndex("rating", "rating_listed"),
        migrations.RenameField("bot", "game", "contest"),
        migrations.AlterField("bot", "contest", bots_contest_field()),
        migrations.AddField("bot", "game", models.CharField(max_length=40, default=""), preserve_default=False),
        migrations.RunPython(games_copy, migrations.RunPython.noop),
        migrations.AddField(
            "bot",
            "team",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="bots",
                to="contests.team",
            ),
        ),
        migrations.AddConstraint(
            "bot", models.UniqueConstraint(fields=["contest", "name_key"], name="bot_name_unique_in_contest")
        ),
        migrations.AddConstraint(
            "bot", models.UniqueConstraint(fields=["contest", "name_look"], name="bot_name_looks_unique")
        ),
        migrations.AlterField("rating", "game", models.CharField(max_length=40)),
        migrations.RenameField("rating", "game", "contest"),
        migrations.AlterField("rating", "contest", contest_field()),
        migrations.AddIndex(
            "rating",
            models.Index(
                condition=models.Q(listed=True), fields=["contest", "-rating", "version"], name="rating_listed"
            ),
        ),
        migrations.AddField(
            "announcement",
            "contest",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="announcements",
                to="contests.contest",
            ),
        ),
        migrations.DeleteModel("GameSetting"),
    ]
