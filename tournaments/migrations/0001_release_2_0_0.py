"""Makes the tables of release 2.0.0."""

import django.core.validators
import django.db.models.deletion
import tournaments.models
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('tournaments', '0001_initial'),
    ]

    dependencies = [
        ('contests', '0001_release_2_0_0'),
        ('ladder', '0001_release_2_0_0'),
        ('matches', '0001_release_2_0_0'),
    ]

    operations = [
        migrations.CreateModel(
            name='Tournament',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(max_length=40, validators=[django.core.validators.RegexValidator('^[a-z0-9]+(?:[-_][a-z0-9]+)*\\Z', 'Please use only small letters a-z and digits, with single hyphens or underscores between them.')])),
                ('title', models.CharField(max_length=100)),
                ('description', models.TextField(blank=True, default='', max_length=20000)),
                ('prizes', models.CharField(blank=True, default='', max_length=500)),
                ('stages', models.JSONField(default=list)),
                ('entry', models.CharField(choices=[('sign_up', 'owners enter their bots'), ('board', 'the best of the board'), ('list', 'the organisers choose them')], default='sign_up', max_length=10)),
                ('entrants_max', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('entries_until', models.DateTimeField(blank=True, null=True)),
                ('starts_at', models.DateTimeField(blank=True, null=True)),
                ('results', models.CharField(choices=[('at_once', 'at once'), ('by_round', 'when a round is released'), ('at_end', 'when the tournament is released')], default='at_once', max_length=10)),
                ('state', models.CharField(choices=[('draft', 'in preparation'), ('open', 'open for entries'), ('drawn', 'drawn'), ('running', 'being played'), ('paused', 'paused'), ('finished', 'finished'), ('released', 'over')], default='draft', max_length=10)),
                ('reason', models.JSONField(blank=True, default=dict)),
                ('lots', models.BigIntegerField(default=tournaments.models.lots_new, editable=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('drawn_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('started_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('finished_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('released_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tournaments', to='contests.contest')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(fields=('contest', 'slug'), name='tournament_slug_unique_in_contest'), models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'open', 'drawn', 'running', 'paused', 'finished', 'released'])), name='tournament_state_known'), models.CheckConstraint(condition=models.Q(('entry__in', ['sign_up', 'board', 'list'])), name='tournament_entry_known'), models.CheckConstraint(condition=models.Q(('results__in', ['at_once', 'by_round', 'at_end'])), name='tournament_results_known'), models.CheckConstraint(condition=models.Q(models.Q(('entry', 'board'), _negated=True), ('entrants_max__isnull', False), _connector='OR'), name='tournament_board_has_number')],
            },
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stage', models.PositiveSmallIntegerField()),
                ('number', models.PositiveSmallIntegerField()),
                ('drawn_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('released_at', models.DateTimeField(blank=True, null=True)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['tournament', 'stage', 'number'],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'stage', 'number'), name='round_unique')],
            },
        ),
        migrations.CreateModel(
            name='Entrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('rating', models.FloatField(blank=True, null=True)),
                ('left', models.CharField(blank=True, choices=[('withdrawn', 'withdrawn'), ('disqualified', 'disqualified')], default='', max_length=12)),
                ('left_stage', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('left_round', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('left_reason', models.CharField(blank=True, default='', max_length=500)),
                ('place', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('entered_at', models.DateTimeField(auto_now_add=True)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entrants', to='ladder.bot')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entrants', to='ladder.botversion')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entrants', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['tournament', 'number', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'bot'), name='entrant_once_in_tournament'), models.UniqueConstraint(fields=('tournament', 'number'), name='entrant_number_unique'), models.CheckConstraint(condition=models.Q(('left__in', ['', 'withdrawn', 'disqualified'])), name='entrant_left_known'), models.CheckConstraint(condition=models.Q(models.Q(('left', ''), ('left_round', None), ('left_stage', None)), models.Q(models.Q(('left', ''), _negated=True), ('left_round__isnull', False), ('left_stage__isnull', False)), _connector='OR'), name='entrant_left_has_round')],
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('group', models.CharField(blank=True, default='', max_length=10)),
                ('sources', models.JSONField(blank=True, default=list)),
                ('why', models.JSONField(blank=True, default=dict)),
                ('outcome', models.CharField(blank=True, choices=[('played', 'played'), ('bye', 'bye'), ('forfeit', 'forfeit'), ('by_hand', 'decided by the organisers')], default='', max_length=10)),
                ('winner', models.PositiveSmallIntegerField(default=0)),
                ('matches_counted', models.PositiveSmallIntegerField(default=0)),
                ('reason', models.CharField(blank=True, default='', max_length=500)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='tournaments.round')),
            ],
            options={
                'ordering': ['round', 'number'],
                'indexes': [models.Index(condition=models.Q(('outcome', '')), fields=['round'], name='table_open')],
                'constraints': [models.UniqueConstraint(fields=('round', 'number'), name='table_unique_in_round'), models.CheckConstraint(condition=models.Q(('outcome__in', ['', 'played', 'bye', 'forfeit', 'by_hand'])), name='table_outcome_known'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('outcome', '')), models.Q(models.Q(('outcome', ''), _negated=True), ('decided_at__isnull', False)), _connector='OR'), name='table_decided_has_time')],
            },
        ),
        migrations.CreateModel(
            name='TableMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('encounter', models.PositiveSmallIntegerField()),
                ('rotation', models.PositiveSmallIntegerField()),
                ('attempt', models.PositiveSmallIntegerField(default=0)),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='table_match', to='matches.match')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matches', to='tournaments.table')),
            ],
            options={
                'ordering': ['table', 'encounter', 'rotation', 'attempt'],
                'constraints': [models.UniqueConstraint(fields=('table', 'encounter', 'rotation', 'attempt'), name='table_match_unique')],
            },
        ),
        migrations.CreateModel(
            name='TableSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveSmallIntegerField()),
                ('points', models.FloatField(blank=True, null=True)),
                ('games', models.FloatField(blank=True, null=True)),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tournaments.entrant')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tournaments.table')),
            ],
            options={
                'ordering': ['table', 'index'],
                'constraints': [models.UniqueConstraint(fields=('table', 'index'), name='table_seat_unique'), models.UniqueConstraint(fields=('table', 'entrant'), name='entrant_once_at_table')],
            },
        ),
    ]
