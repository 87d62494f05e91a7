"""Hosts may belong to somebody else than the site."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("fleet", "0001_initial")]

    operations = [
        migrations.AddField("host", "is_guest", models.BooleanField(db_default=False, default=False)),
    ]
