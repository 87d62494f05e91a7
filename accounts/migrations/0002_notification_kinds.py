"""Lets apps register kinds of notifications: the database knows them by no list any more."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_release_2_0_0"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="notification", name="notification_kind_known"),
        migrations.AlterField(model_name="notification", name="kind", field=models.CharField(max_length=20)),
    ]
