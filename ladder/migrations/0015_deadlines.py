"""Games have a deadline: until when they take bots."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0014_points_by_time")]

    operations = [
        migrations.AddField("gamesetting", "uploads_until", models.DateTimeField(null=True, blank=True)),
    ]
