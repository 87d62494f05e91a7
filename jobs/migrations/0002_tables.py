"""Adds the number of tables that a worker holds."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial")]

    operations = [
        migrations.AddField("worker", "tables", models.PositiveIntegerField(db_default=0, default=0)),
    ]
