"""Contests may say how many tables each of their members may have open."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contests', '0003_finals'),
    ]

    operations = [
        migrations.AddField(
            model_name='contest',
            name='tables_each',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
    ]
