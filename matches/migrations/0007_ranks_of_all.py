"""Lets contests fit their boards anew, where versions with few matches have no rank yet.

Contests that are over keep the board that they signed; one whose board is not signed yet ranks everybody on it.
"""

from django.db import migrations
from django.db.models import Q


def boards_mark_outdated(apps, schema_editor):
    Rating, BoardLock = apps.get_model("ladder", "Rating"), apps.get_model("matches", "BoardLock")
    goes_on = Q(contest__state__in=["draft", "open", "paused"]) | Q(contest__state="frozen", contest__board_digest="")
    unranked = Rating.objects.filter(goes_on, listed=True, games__gt=0, rank=None)
    BoardLock.objects.filter(contest__in=unranked.values("contest")).update(rating_watermark="")


class Migration(migrations.Migration):
    dependencies = [("matches", "0006_exhibitions"), ("ladder", "0009_board_order")]

    operations = [migrations.RunPython(boards_mark_outdated, migrations.RunPython.noop)]
