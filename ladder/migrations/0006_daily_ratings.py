"""Adds the rating of each bot day by day, filled from its points of the last month, and its highest league."""

from datetime import timedelta

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Max
from django.db.models.functions import TruncDate
from django.utils import timezone


def days_fill(apps, schema_editor):
    point, daily = apps.get_model("ladder", "RatingPoint"), apps.get_model("ladder", "DailyRating")
    today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    month = point.objects.filter(at__gte=today - timedelta(days=31), at__lt=today, games__gt=0)
    days = month.values("version__bot", day=TruncDate("at"))
    newest = {row["newest"]: row for row in days.annotate(newest=Max("pk")).iterator()}
    keys = sorted(newest)
    for begin in range(0, len(keys), 500):
        ratings = point.objects.filter(pk__in=keys[begin : begin + 500]).values_list("pk", "rating")
        daily.objects.bulk_create(
            # The last rating of a day is that at the beginning of the next.
            daily(bot_id=newest[pk]["version__bot"], day=newest[pk]["day"] + timedelta(days=1), rating=round(rating))
            for pk, rating in ratings
        )


def leagues_fill(apps, schema_editor):
    apps.get_model("ladder", "Bot").objects.filter(league_since__isnull=False).update(league_best=F("league"))


class Migration(migrations.Migration):

    dependencies = [
        ('ladder', '0005_follows'),
    ]

    operations = [
        migrations.AddField(
            model_name='bot',
            name='league_best',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.CreateModel(
            name='DailyRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('rating', models.IntegerField()),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='daily_ratings', to='ladder.bot')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('bot', 'day'), name='daily_rating_once')],
            },
        ),
        migrations.RunPython(days_fill, migrations.RunPython.noop),
        migrations.RunPython(leagues_fill, migrations.RunPython.noop),
    ]
