"""Makes the tables of release 2.0.0."""

import common.names
import common.validators
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('ladder', '0001_initial'),
        ('ladder', '0002_version_reason'),
        ('ladder', '0003_contests'),
        ('ladder', '0004_house_bots_without_rating'),
        ('ladder', '0005_follows'),
        ('ladder', '0006_daily_ratings'),
        ('ladder', '0007_received_at'),
        ('ladder', '0008_honours'),
        ('ladder', '0009_board_order'),
    ]

    dependencies = [
        ('contests', '0001_release_2_0_0'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Bot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=40)),
                ('name', models.CharField(max_length=40, validators=[common.validators.validate_bot_name])),
                ('name_key', common.names.NameKeyField(blank=True, editable=False, max_length=120)),
                ('name_look', common.names.NameLookField(blank=True, editable=False, max_length=160)),
                ('is_house', models.BooleanField(default=False)),
                ('declared_rating', models.FloatField(blank=True, null=True)),
                ('league', models.PositiveSmallIntegerField(default=0)),
                ('league_since', models.DateTimeField(blank=True, null=True)),
                ('league_best', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('boss_of', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('contest', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='bots', to='contests.contest')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='bots', to=settings.AUTH_USER_MODEL)),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='bots', to='contests.team')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('contest', 'name_key'), name='bot_name_unique_in_contest'), models.UniqueConstraint(fields=('contest', 'name_look'), name='bot_name_looks_unique'), models.CheckConstraint(condition=models.Q(('is_house', True), ('declared_rating__isnull', True), _connector='OR'), name='bot_declared_rating_only_of_house')],
            },
        ),
        migrations.CreateModel(
            name='BotVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attempt', models.PositiveSmallIntegerField(default=0)),
                ('lease_token', models.CharField(blank=True, default='', max_length=32)),
                ('lease_ends_at', models.DateTimeField(blank=True, null=True)),
                ('notified_at', models.DateTimeField(blank=True, null=True)),
                ('held_until', models.DateTimeField(blank=True, null=True)),
                ('number', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('received', 'received'), ('uploaded', 'waiting for a builder'), ('building', 'being built'), ('active', 'active'), ('probation', 'on probation'), ('rejected', 'rejected'), ('failed', 'not built, our fault'), ('retired', 'replaced or withdrawn')], default='uploaded', max_length=10)),
                ('received_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), default=django.utils.timezone.now)),
                ('sent_digest', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ('bundle_digest', models.CharField(blank=True, max_length=64)),
                ('bundle_bytes', models.PositiveIntegerField()),
                ('upload_name', models.CharField(max_length=120)),
                ('artifact_digest', models.CharField(blank=True, default='', max_length=64)),
                ('language', models.CharField(blank=True, default='', max_length=20)),
                ('entry', models.CharField(blank=True, default='', max_length=200)),
                ('step', models.CharField(blank=True, default='', max_length=20)),
                ('verdict', models.CharField(blank=True, default='', max_length=20)),
                ('reason', models.JSONField(blank=True, default=dict)),
                ('log', models.TextField(blank=True, default='')),
                ('check_replay_digest', models.CharField(blank=True, default='', max_length=64)),
                ('check_log_digest', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ('worker', models.CharField(blank=True, default='', max_length=100)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('activated_at', models.DateTimeField(blank=True, null=True)),
                ('looked_at', models.DateTimeField(blank=True, null=True)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='ladder.bot')),
                ('parent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='children', to='ladder.botversion')),
            ],
            options={
                'ordering': ['bot', '-number'],
                'indexes': [models.Index(fields=['state'], name='version_by_state')],
                'constraints': [models.UniqueConstraint(fields=('bot', 'number'), name='version_number_unique_in_bot'), models.UniqueConstraint(condition=models.Q(('state__in', ['active', 'probation'])), fields=('bot',), name='version_one_active_a_bot'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['active', 'probation']), _negated=True), models.Q(('artifact_digest', ''), _negated=True), _connector='OR'), name='version_active_has_artifact'), models.CheckConstraint(condition=models.Q(('state__in', ['received', 'uploaded', 'building', 'active', 'probation', 'rejected', 'failed', 'retired'])), name='version_state_known')],
            },
        ),
        migrations.CreateModel(
            name='BotEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('version', 'new version'), ('close_match', 'close match'), ('leader', 'first place'), ('place_lost', 'lost place'), ('promoted', 'promotion'), ('tournament', 'tournament')], max_length=12)),
                ('occasion', models.CharField(max_length=40)),
                ('values', models.JSONField()),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('followers_after', models.BigIntegerField(blank=True, null=True)),
                ('bot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='ladder.bot')),
            ],
            options={
                'indexes': [models.Index(fields=['bot', '-id'], name='bot_event_newest'), models.Index(fields=['kind', '-id'], name='bot_event_newest_of_kind'), models.Index(fields=['at'], name='bot_event_by_time'), models.Index(condition=models.Q(('followers_after__isnull', False)), fields=['id'], name='bot_event_unnotified')],
                'constraints': [models.UniqueConstraint(fields=('bot', 'kind', 'occasion'), name='bot_event_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['version', 'close_match', 'leader', 'place_lost', 'promoted', 'tournament'])), name='bot_event_kind_known')],
            },
        ),
        migrations.CreateModel(
            name='SentFile',
            fields=[
                ('version', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sent_file', serialize=False, to='ladder.botversion')),
                ('data', models.BinaryField()),
                ('language_code', models.CharField(max_length=10)),
            ],
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
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('bot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='followed_by', to='ladder.bot')),
                ('follower', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='follows', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='followed_by', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('bot__isnull', False), ('person__isnull', True)), models.Q(('bot__isnull', True), ('person__isnull', False)), _connector='OR'), name='follow_bot_or_person'), models.UniqueConstraint(fields=('follower', 'bot'), name='follow_bot_once'), models.UniqueConstraint(fields=('follower', 'person'), name='follow_person_once')],
            },
        ),
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
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rating', models.FloatField()),
                ('standard_error', models.FloatField()),
                ('games', models.PositiveIntegerField()),
                ('last_match_at', models.DateTimeField(blank=True, null=True)),
                ('fitted_at', models.DateTimeField()),
                ('listed', models.BooleanField(default=False)),
                ('rank', models.PositiveIntegerField(blank=True, null=True)),
                ('rank_best', models.PositiveIntegerField(blank=True, null=True)),
                ('rank_worst', models.PositiveIntegerField(blank=True, null=True)),
                ('board_rating', models.GeneratedField(db_persist=True, expression=models.Case(models.When(games=0, then=django.db.models.expressions.CombinedExpression(models.F('rating'), '-', models.Value(1000000.0))), default=models.F('rating')), output_field=models.FloatField())),
                ('contest', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='contests.contest')),
                ('version', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='rating', to='ladder.botversion')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('listed', True)), fields=['contest', '-board_rating', 'version'], name='rating_by_board_rating')],
            },
        ),
        migrations.CreateModel(
            name='RatingPoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('games', models.PositiveIntegerField()),
                ('rating', models.FloatField()),
                ('standard_error', models.FloatField()),
                ('at', models.DateTimeField()),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rating_points', to='ladder.botversion')),
            ],
            options={
                'ordering': ['version', 'games'],
                'indexes': [models.Index(fields=['version', 'at'], name='rating_point_by_time')],
                'constraints': [models.UniqueConstraint(fields=('version', 'games'), name='rating_point_unique')],
            },
        ),
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(max_length=1000)),
                ('level', models.CharField(choices=[('news', 'News'), ('warning', 'Please note'), ('urgent', 'Important')], default='news', max_length=10)),
                ('shown_from', models.DateTimeField(default=django.utils.timezone.now)),
                ('shown_until', models.DateTimeField(blank=True, null=True)),
                ('contest', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='announcements', to='contests.contest')),
            ],
            options={
                'ordering': ['-shown_from', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('shown_until__isnull', True), ('shown_until__gt', models.F('shown_from')), _connector='OR'), name='announcement_ends_after_its_begin', violation_error_message='The end must be later than the beginning.'), models.CheckConstraint(condition=models.Q(('level__in', ['news', 'warning', 'urgent'])), name='announcement_level_known')],
            },
        ),
    ]
