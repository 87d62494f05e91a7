"""Makes the tables of release 2.0.0."""

import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('matches', '0001_initial'),
        ('matches', '0002_messages'),
        ('matches', '0003_contests'),
        ('matches', '0004_signed_boards'),
        ('matches', '0005_tournaments'),
        ('matches', '0006_exhibitions'),
        ('matches', '0007_ranks_of_all'),
    ]

    dependencies = [
        ('contests', '0001_release_2_0_0'),
        ('ladder', '0001_release_2_0_0'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='BoardLock',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rating_watermark', models.CharField(blank=True, default='', max_length=64)),
                ('signed_watermark', models.CharField(blank=True, default='', max_length=64)),
                ('contest', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contests.contest')),
            ],
        ),
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attempt', models.PositiveSmallIntegerField(default=0)),
                ('lease_token', models.CharField(blank=True, default='', max_length=32)),
                ('lease_ends_at', models.DateTimeField(blank=True, null=True)),
                ('notified_at', models.DateTimeField(blank=True, null=True)),
                ('held_until', models.DateTimeField(blank=True, null=True)),
                ('kind', models.CharField(choices=[('ladder', 'rated'), ('rerun', 're-run'), ('trial', 'private test'), ('challenge', 'challenge'), ('tournament', 'tournament'), ('exhibition', 'exhibition')], default='ladder', max_length=10)),
                ('queue_class', models.CharField(choices=[('tournament', 'tournaments'), ('placement', 'first matches of a version'), ('ladder', 'rated matches'), ('replaced', 'rated matches that are played again'), ('requested', 're-runs, private tests and challenges'), ('house', 'house bots among themselves'), ('table', 'tables')], default='requested', max_length=10)),
                ('game', models.CharField(max_length=40)),
                ('rules_version', models.CharField(max_length=20)),
                ('options', models.JSONField(default=dict)),
                ('seed', models.BigIntegerField()),
                ('encounter', models.CharField(max_length=32)),
                ('state', models.CharField(choices=[('queued', 'waiting for a worker'), ('running', 'being played'), ('finished', 'finished'), ('void', 'void')], default='queued', max_length=10)),
                ('void_reason', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('is_hidden', models.BooleanField(db_default=False, default=False, editable=False)),
                ('tallied', models.BooleanField(default=False, editable=False)),
                ('contest', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='contests.contest')),
                ('original', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reruns', to='matches.match')),
                ('replaces', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replaced_by', to='matches.match')),
            ],
            options={
                'verbose_name_plural': 'matches',
                'indexes': [models.Index(fields=['contest', 'state', '-id'], name='match_by_state'), models.Index(fields=['encounter'], name='match_by_encounter'), models.Index(fields=['state', 'queue_class'], name='match_in_queue'), models.Index(fields=['finished_at'], name='match_by_end'), models.Index(fields=['created_at'], name='match_by_pairing'), models.Index(condition=models.Q(('kind', 'ladder'), _negated=True), fields=['kind', '-id'], name='match_unrated_newest'), models.Index(condition=models.Q(('kind', 'ladder')), fields=['contest', '-id'], name='match_rated_newest'), models.Index(condition=models.Q(('kind', 'ladder'), models.Q(models.Q(('state', 'finished'), ('tallied', False)), models.Q(('state', 'void'), ('tallied', True)), _connector='OR')), fields=['contest', 'id'], name='match_tally_wrong')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'finished', 'void'])), name='match_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'running'), _negated=True), ('lease_ends_at__isnull', False), _connector='OR'), name='match_running_has_lease'), models.CheckConstraint(condition=models.Q(('kind__in', ['ladder', 'rerun', 'trial', 'challenge', 'tournament', 'exhibition'])), name='match_kind_known'), models.CheckConstraint(condition=models.Q(('queue_class__in', ['tournament', 'placement', 'ladder', 'replaced', 'requested', 'house', 'table'])), name='match_queue_class_known'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'exhibition'), ('queue_class', 'table')), models.Q(models.Q(('kind', 'exhibition'), _negated=True), models.Q(('queue_class', 'table'), _negated=True)), _connector='OR'), name='match_exhibitions_at_tables'), models.CheckConstraint(condition=models.Q(('is_hidden', False), ('kind', 'tournament'), _connector='OR'), name='match_hidden_in_tournaments'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'rerun'), ('original__isnull', False)), models.Q(models.Q(('kind', 'rerun'), _negated=True), ('original__isnull', True)), _connector='OR'), name='match_rerun_has_original'), models.UniqueConstraint(condition=models.Q(('state__in', ['queued', 'running'])), fields=('original',), name='match_one_rerun_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('lease_token', models.CharField(max_length=32, unique=True)),
                ('worker', models.CharField(blank=True, default='', max_length=100)),
                ('queued_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('ending', models.CharField(blank=True, choices=[('result', 'played'), ('platform_fault', 'our fault'), ('lost', 'worker lost'), ('late', 'too late'), ('withdrawn', 'taken back')], default='', max_length=20)),
                ('reason', models.JSONField(blank=True, default=dict)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='matches.match')),
            ],
            options={
                'ordering': ['match', 'number'],
                'indexes': [models.Index(fields=['ended_at'], name='attempt_by_end')],
                'constraints': [models.UniqueConstraint(fields=('match', 'number'), name='attempt_number_unique_in_match')],
            },
        ),
        migrations.CreateModel(
            name='RemoteSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=100)),
                ('visitor', models.CharField(blank=True, db_index=True, default='', max_length=64)),
                ('secret_hash', models.CharField(max_length=64, unique=True)),
                ('clock_seconds', models.PositiveSmallIntegerField()),
                ('tries', models.PositiveSmallIntegerField(default=1)),
                ('rank', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('score', models.FloatField(blank=True, null=True)),
                ('verdict', models.CharField(blank=True, default='', max_length=20)),
                ('evidence', models.JSONField(blank=True, default=dict)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='remote_seats', to='matches.match')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['match', 'index'],
                'constraints': [models.UniqueConstraint(fields=('match', 'index'), name='remote_seat_unique_in_match')],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('turns', models.PositiveIntegerField()),
                ('replay_digest', models.CharField(blank=True, max_length=64)),
                ('log_digest', models.CharField(blank=True, default='', max_length=64)),
                ('recorded_at', models.DateTimeField(auto_now_add=True)),
                ('attempt', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='result', to='matches.attempt')),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='result', to='matches.match')),
            ],
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveSmallIntegerField()),
                ('rank', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('score', models.FloatField(blank=True, null=True)),
                ('cpu_ms_total', models.FloatField(blank=True, null=True)),
                ('cpu_ms_worst', models.FloatField(blank=True, null=True)),
                ('verdict', models.CharField(blank=True, default='', max_length=20)),
                ('evidence', models.JSONField(blank=True, default=dict)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='matches.match')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='ladder.botversion')),
            ],
            options={
                'ordering': ['match', 'index'],
                'indexes': [models.Index(fields=['version', '-match'], name='seat_newest_of_version'), models.Index(condition=models.Q(('verdict', ''), _negated=True), fields=['verdict', '-match'], name='seat_fault_newest')],
                'constraints': [models.UniqueConstraint(fields=('match', 'index'), name='seat_unique_in_match'), models.UniqueConstraint(fields=('match', 'version'), name='version_once_in_match')],
            },
        ),
        migrations.CreateModel(
            name='Trial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=40)),
                ('games_max', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('running', 'being played'), ('better', 'better'), ('worse', 'worse'), ('no_difference', 'no difference found'), ('stopped', 'stopped')], default='running', max_length=20)),
                ('result', models.JSONField(blank=True, default=dict)),
                ('reason', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('candidate', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='trials', to='ladder.botversion')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='trials', to=settings.AUTH_USER_MODEL)),
                ('reference', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='trials_as_reference', to='ladder.botversion')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'running')), fields=('owner',), name='trial_one_running_an_owner'), models.CheckConstraint(condition=models.Q(('candidate', models.F('reference')), _negated=True), name='trial_of_two_versions'), models.CheckConstraint(condition=models.Q(('state__in', ['running', 'better', 'worse', 'no_difference', 'stopped'])), name='trial_state_known')],
            },
        ),
        migrations.CreateModel(
            name='TrialPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('first', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='matches.match')),
                ('second', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='matches.match')),
                ('trial', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pairs', to='matches.trial')),
            ],
            options={
                'ordering': ['trial', 'number'],
                'constraints': [models.UniqueConstraint(fields=('trial', 'number'), name='pair_number_unique_in_trial')],
            },
        ),
        migrations.CreateModel(
            name='HeadToHead',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('games', models.PositiveIntegerField(default=0)),
                ('wins', models.PositiveIntegerField(default=0)),
                ('draws', models.PositiveIntegerField(default=0)),
                ('losses', models.PositiveIntegerField(default=0)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='heads', to='ladder.bot')),
                ('opponent', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ladder.bot')),
            ],
            options={
                'indexes': [models.Index(fields=['bot', '-games', 'opponent'], name='head_to_head_by_games')],
                'constraints': [models.UniqueConstraint(fields=('bot', 'opponent'), name='head_to_head_unique'), models.CheckConstraint(condition=models.Q(('games', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('wins'), '+', models.F('draws')), '+', models.F('losses')))), name='head_to_head_adds_up')],
            },
        ),
    ]
