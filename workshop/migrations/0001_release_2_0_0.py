"""Makes the tables of release 2.0.0."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('workshop', '0001_initial'),
        ('workshop', '0002_draft_revision'),
        ('workshop', '0003_try_stored_bytes'),
    ]

    dependencies = [
        ('contests', '0001_release_2_0_0'),
        ('ladder', '0001_release_2_0_0'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('language', models.CharField(max_length=20)),
                ('files', models.JSONField()),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('revision', models.PositiveIntegerField(db_default=1, default=1)),
                ('written_by', models.CharField(blank=True, db_default='', default='', max_length=36)),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contests.contest')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-changed_at'],
                'constraints': [models.UniqueConstraint(fields=('owner', 'contest', 'language'), name='draft_once')],
            },
        ),
        migrations.CreateModel(
            name='Try',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attempt', models.PositiveSmallIntegerField(default=0)),
                ('lease_token', models.CharField(blank=True, default='', max_length=32)),
                ('lease_ends_at', models.DateTimeField(blank=True, null=True)),
                ('notified_at', models.DateTimeField(blank=True, null=True)),
                ('held_until', models.DateTimeField(blank=True, null=True)),
                ('seat', models.PositiveSmallIntegerField()),
                ('players', models.PositiveSmallIntegerField()),
                ('seed', models.BigIntegerField()),
                ('rules_version', models.CharField(max_length=20)),
                ('options', models.JSONField()),
                ('played', models.JSONField(blank=True, default=list)),
                ('language', models.CharField(blank=True, default='', max_length=20)),
                ('bundle_digest', models.CharField(max_length=64)),
                ('state', models.CharField(choices=[('waiting', 'waiting for a worker'), ('running', 'being tried'), ('finished', 'played'), ('rejected', 'not built'), ('failed', 'not tried, our fault')], default='waiting', max_length=10)),
                ('step', models.CharField(blank=True, default='', max_length=20)),
                ('verdict', models.CharField(blank=True, default='', max_length=20)),
                ('reason', models.JSONField(blank=True, default=dict)),
                ('log', models.TextField(blank=True, default='')),
                ('turns', models.PositiveIntegerField(default=0)),
                ('seats', models.JSONField(blank=True, default=list)),
                ('replay_digest', models.CharField(blank=True, default='', max_length=64)),
                ('log_digest', models.CharField(blank=True, default='', max_length=64)),
                ('stored_bytes', models.PositiveBigIntegerField(db_default=0, default=0)),
                ('worker', models.CharField(blank=True, default='', max_length=100)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contests.contest')),
                ('opponent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='ladder.botversion')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tries', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'tries',
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['state'], name='try_by_state'), models.Index(fields=['created_at'], name='try_by_age')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['waiting', 'running'])), fields=('owner',), name='try_one_open_an_owner'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'finished'), _negated=True), models.Q(('replay_digest', ''), _negated=True), _connector='OR'), name='try_played_has_replay'), models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'finished', 'rejected', 'failed'])), name='try_state_known')],
            },
        ),
    ]
