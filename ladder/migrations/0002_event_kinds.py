"""Lets apps register kinds of events: the database knows them by no list any more."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0001_release_2_0_0"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="botevent", name="bot_event_kind_known"),
        migrations.AlterField(model_name="botevent", name="kind", field=models.CharField(max_length=12)),
    ]
