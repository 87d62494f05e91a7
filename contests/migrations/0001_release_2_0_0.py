"""Makes the tables of release 2.0.0."""

import common.names
import common.validators
import contests.models
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('contests', '0001_initial'),
        ('contests', '0002_rules'),
        ('contests', '0003_finals'),
        ('contests', '0004_tables_each'),
        ('contests', '0005_other_hosts'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Contest',
            fields=[
                ('slug', models.CharField(max_length=40, primary_key=True, serialize=False, validators=[django.core.validators.RegexValidator('^[a-z0-9]+(?:[-_][a-z0-9]+)*\\Z', 'Please use only small letters a-z and digits, with single hyphens or underscores between them.')])),
                ('title', models.CharField(blank=True, default='', max_length=100)),
                ('description', models.TextField(blank=True, default='', max_length=20000)),
                ('prizes', models.CharField(blank=True, default='', max_length=500)),
                ('game', models.CharField(max_length=40)),
                ('ruleset', models.CharField(blank=True, default='', max_length=40)),
                ('options', models.JSONField(blank=True, default=dict)),
                ('tables', models.JSONField(blank=True, default=dict)),
                ('limits', models.JSONField(blank=True, default=dict)),
                ('languages', models.JSONField(blank=True, default=list)),
                ('bots_max', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('tables_each', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('has_house_bots', models.BooleanField(default=False)),
                ('has_leagues', models.BooleanField(default=False)),
                ('has_matches', models.BooleanField(default=False, editable=False)),
                ('state', models.CharField(choices=[('draft', 'draft'), ('open', 'open'), ('paused', 'paused'), ('frozen', 'frozen'), ('archived', 'archived')], default='draft', max_length=10)),
                ('reason', models.CharField(blank=True, default='', max_length=500)),
                ('opens_at', models.DateTimeField(blank=True, null=True)),
                ('entries_until', models.DateTimeField(blank=True, null=True)),
                ('frozen_at', models.DateTimeField(blank=True, null=True)),
                ('final_games', models.PositiveSmallIntegerField(db_default=20, default=20)),
                ('final_by', models.DateTimeField(blank=True, null=True)),
                ('final_stage', models.CharField(blank=True, choices=[('building', 'the last uploads are being built'), ('playing', 'final matches are being played'), ('fitting', 'the final board is being signed'), ('signed', 'the final board is signed')], db_default='', default='', editable=False, max_length=8)),
                ('final_since', models.DateTimeField(blank=True, editable=False, null=True)),
                ('honours_house_bots', models.BooleanField(blank=True, null=True)),
                ('visibility', models.CharField(choices=[('public', 'public'), ('unlisted', 'unlisted'), ('private', 'private')], default='public', max_length=10)),
                ('mail_domain', models.CharField(blank=True, default='', max_length=100)),
                ('other_hosts', models.BooleanField(db_default=False, default=False)),
                ('replays_kept', models.PositiveIntegerField(blank=True, null=True)),
                ('board_digest', models.CharField(blank=True, default='', editable=False, max_length=64)),
                ('board_signature', models.CharField(blank=True, default='', editable=False, max_length=200)),
                ('board_signed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('replays_thinning', models.JSONField(blank=True, default=dict, editable=False)),
                ('replays_thinned_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('changed_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'ordering': ['slug'],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'open', 'paused', 'frozen', 'archived'])), name='contest_state_known'), models.CheckConstraint(condition=models.Q(('final_stage__in', ['', 'building', 'playing', 'fitting', 'signed'])), name='contest_final_stage_known'), models.CheckConstraint(condition=models.Q(('visibility__in', ['public', 'unlisted', 'private'])), name='contest_visibility_known'), models.CheckConstraint(condition=models.Q(models.Q(('slug', models.F('game')), _negated=True), ('visibility', 'public'), _connector='OR'), name='contest_open_is_public')],
            },
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40, validators=[common.validators.validate_bot_name])),
                ('name_key', common.names.NameKeyField(blank=True, editable=False, max_length=120)),
                ('name_look', common.names.NameLookField(blank=True, editable=False, max_length=160)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('captain', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='teams', to='contests.contest')),
            ],
            options={
                'ordering': ['contest', 'name_key'],
                'constraints': [models.UniqueConstraint(fields=('contest', 'name_key'), name='team_name_unique_in_contest'), models.UniqueConstraint(fields=('contest', 'name_look'), name='team_name_looks_unique')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.CharField(default=contests.models.invitation_token, editable=False, max_length=40, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('uses_max', models.PositiveIntegerField()),
                ('uses', models.PositiveIntegerField(default=0)),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='contests.contest')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='contests.team')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('uses__lte', models.F('uses_max'))), name='invitation_not_overused')],
            },
        ),
        migrations.CreateModel(
            name='TeamMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='contests.contest')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='contests.team')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='team_members', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['team', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('contest', 'user'), name='team_one_a_user_and_contest')],
            },
        ),
        migrations.CreateModel(
            name='FinalBoard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('frozen_at', models.DateTimeField()),
                ('replaces', models.CharField(blank=True, default='', max_length=64)),
                ('digest', models.CharField(max_length=64)),
                ('signed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='final_boards', to='contests.contest')),
            ],
            options={
                'ordering': ['contest', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('contest', 'frozen_at', 'replaces'), name='final_board_signed_once')],
            },
        ),
        migrations.CreateModel(
            name='Member',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('organiser', 'organiser'), ('participant', 'participant')], default='participant', max_length=11)),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('contest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='contests.contest')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['contest', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('contest', 'user'), name='member_once_in_contest'), models.CheckConstraint(condition=models.Q(('role__in', ['organiser', 'participant'])), name='member_role_known')],
            },
        ),
    ]
