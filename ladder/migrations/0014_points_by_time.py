"""Points of rating graphs are found by their time: what a version was rated when a match ended."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0013_notices")]

    operations = [
        migrations.AddIndex(
            "ratingpoint", models.Index(fields=["version", "at"], name="rating_point_by_time")
        ),
    ]
