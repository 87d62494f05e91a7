"""Keeps the answers of a match in which a seat is taken over with the exhibition."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exhibitions", "0002_kakomimasu_games")]

    operations = [
        migrations.AddField("exhibition", "played", models.JSONField(blank=True, default=list)),
    ]
