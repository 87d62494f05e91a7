"""Makes the tables of release 2.0.0."""

from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('jobs', '0001_initial'),
        ('jobs', '0002_tables'),
        ('jobs', '0003_timetable_lead'),
    ]

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='QueueLock',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ahead', models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name='WorkingLanguage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=20, unique=True)),
                ('title', models.CharField(max_length=100)),
                ('version', models.CharField(max_length=20)),
                ('entries', models.JSONField()),
                ('suffixes', models.JSONField()),
                ('libraries', models.CharField(blank=True, db_default='', default='', max_length=100)),
                ('position', models.PositiveSmallIntegerField()),
                ('announced_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='TimetableLead',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('holder', models.CharField(default='', max_length=150)),
                ('ends_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='timetable_lead_once')],
            },
        ),
        migrations.CreateModel(
            name='Worker',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, unique=True)),
                ('host', models.CharField(max_length=100)),
                ('state', models.CharField(choices=[('active', 'active'), ('draining', 'draining'), ('quarantined', 'quarantined'), ('gone', 'gone')], default='active', max_length=11)),
                ('reason', models.CharField(blank=True, default='', max_length=1000)),
                ('broker_user', models.CharField(blank=True, default='', max_length=100)),
                ('version', models.CharField(max_length=20)),
                ('backend', models.CharField(max_length=20)),
                ('languages', models.JSONField(blank=True, default=list)),
                ('libraries', models.JSONField(blank=True, null=True)),
                ('cores', models.PositiveIntegerField()),
                ('processes', models.PositiveIntegerField()),
                ('tables', models.PositiveIntegerField(db_default=0, default=0)),
                ('processes_wanted', models.PositiveIntegerField(blank=True, null=True)),
                ('busy', models.PositiveIntegerField(default=0)),
                ('self_test', models.CharField(blank=True, default='', max_length=1000)),
                ('canary_ms', models.FloatField(blank=True, null=True)),
                ('cpu_percent', models.FloatField(blank=True, null=True)),
                ('load', models.FloatField(blank=True, null=True)),
                ('jobs_done', models.PositiveIntegerField(default=0)),
                ('last_taken_at', models.DateTimeField(blank=True, null=True)),
                ('last_ended_at', models.DateTimeField(blank=True, null=True)),
                ('started_at', models.DateTimeField()),
                ('last_seen_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['active', 'draining', 'quarantined', 'gone'])), name='worker_state_known'), models.CheckConstraint(condition=models.Q(('processes_wanted__isnull', True), ('processes_wanted__gte', 1), _connector='OR'), name='worker_wanted_positive')],
            },
        ),
    ]
