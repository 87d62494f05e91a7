"""Attempts at matches that were taken out by a version that left them under way end with their matches."""

from django.db import migrations
from django.db.models import OuterRef, Subquery


def attempts_end(apps, schema_editor):
    Attempt, Match = apps.get_model("matches", "Attempt"), apps.get_model("matches", "Match")
    ended = Match.objects.filter(pk=OuterRef("match_id")).values("finished_at")[:1]
    Attempt.objects.filter(ending="", match__state="void").update(ending="withdrawn", ended_at=Subquery(ended))


class Migration(migrations.Migration):
    dependencies = [("matches", "0010_match_filters")]

    operations = [migrations.RunPython(attempts_end, migrations.RunPython.noop, elidable=True)]
