"""Lets contests that are played fit their boards anew, where versions with few matches have no rank yet.

Frozen contests keep the board that they signed.
"""

from django.db import migrations


def boards_mark_outdated(apps, schema_editor):
    Rating, BoardLock = apps.get_model("ladder", "Rating"), apps.get_model("matches", "BoardLock")
    unranked = Rating.objects.filter(
        listed=True, games__gt=0, rank=None, contest__state__in=["draft", "open", "paused"]
    )
    BoardLock.objects.filter(contest__in=unranked.values("contest")).update(rating_watermark="")


class Migration(migrations.Migration):
    dependencies = [("matches", "0006_exhibitions"), ("ladder", "0009_board_order")]

    operations = [migrations.RunPython(boards_mark_outdated, migrations.RunPython.noop)]
