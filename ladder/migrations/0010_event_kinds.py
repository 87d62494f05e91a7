"""Lets apps register kinds of events: the database knows them by no list any more."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0009_board_order"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="botevent", name="bot_event_kind_known"),
        migrations.AlterField(model_name="botevent", name="kind", field=models.CharField(max_length=12)),
    ]
