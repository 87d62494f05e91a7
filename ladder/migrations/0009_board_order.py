"""Sorts boards so that versions without a rated match stand at the end."""

from django.db import migrations, models
from django.db.models import Case, F, Q, Value, When


class Migration(migrations.Migration):
    dependencies = [("ladder", "0008_honours")]

    operations = [
        migrations.RemoveIndex("rating", "rating_listed"),
        migrations.AddField(
            "rating",
            "board_rating",
            models.GeneratedField(
                expression=Case(When(games=0, then=F("rating") - Value(1000000.0)), default=F("rating")),
                output_field=models.FloatField(),
                db_persist=True,
            ),
        ),
        migrations.AddIndex(
            "rating",
            models.Index(
                condition=Q(listed=True),
                fields=["contest", "-board_rating", "version"],
                name="rating_by_board_rating",
            ),
        ),
    ]
