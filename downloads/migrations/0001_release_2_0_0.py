"""Makes the tables of release 2.0.0."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('downloads', '0001_initial'),
    ]

    dependencies = [
        ('contests', '0001_release_2_0_0'),
    ]

    operations = [
        migrations.CreateModel(
            name='DayFiles',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('matches', models.PositiveIntegerField()),
                ('results_digest', models.CharField(max_length=64)),
                ('results_bytes', models.PositiveBigIntegerField()),
                ('replays', models.PositiveIntegerField()),
                ('replays_digest', models.CharField(blank=True, default='', max_length=64)),
                ('replays_bytes', models.PositiveBigIntegerField()),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('contest', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contests.contest')),
            ],
            options={
                'verbose_name_plural': 'files of days',
                'ordering': ['-day'],
                'indexes': [models.Index(fields=['-day'], name='day_files_newest'), models.Index(condition=models.Q(('replays_digest', ''), _negated=True), fields=['day'], name='day_files_with_replays')],
                'constraints': [models.UniqueConstraint(fields=('contest', 'day'), name='day_files_once')],
            },
        ),
    ]
