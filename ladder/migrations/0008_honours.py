"""Adds the honours of contests, and gives those out of the contests that are over."""

import django.db.models.deletion
from django.db import migrations, models

HONOURED_MAX = 3


def honours_fill(apps, schema_editor):
    honours, ratings = apps.get_model("ladder", "Honour"), apps.get_model("ladder", "Rating")
    for contest in apps.get_model("contests", "Contest").objects.filter(final_stage="signed"):
        rows = ratings.objects.filter(contest=contest, listed=True, games__gt=0, version__bot__is_house=False)
        best = rows.order_by("-rating", "version").values_list("version__bot", flat=True)[:HONOURED_MAX]
        honours.objects.bulk_create(
            honours(contest=contest, bot_id=bot, place=place) for place, bot in enumerate(best, start=1)
        )


class Migration(migrations.Migration):

    dependencies = [
        ('contests', '0003_finals'),
        ('ladder', '0007_received_at'),
    ]

    operations = [
        migrations.CreateModel(
            name='Honour',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField()),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='honours', to='ladder.bot')),
                ('contest', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='honours', to='contests.contest')),
            ],
            options={
                'ordering': ['contest', 'place'],
                'constraints': [models.UniqueConstraint(fields=('contest', 'place'), name='honour_place_once_in_contest'), models.CheckConstraint(condition=models.Q(('place__gte', 1)), name='honour_place_from_one')],
            },
        ),
        migrations.RunPython(honours_fill, migrations.RunPython.noop),
    ]
