"""Adds what a try takes of its owner's quota."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("workshop", "0002_draft_revision")]

    operations = [
        migrations.AddField("try", "stored_bytes", models.PositiveBigIntegerField(db_default=0, default=0)),
    ]
