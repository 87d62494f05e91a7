"""Makes the tables of release 2.0.0."""

from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('fleet', '0001_initial'),
        ('fleet', '0002_host_is_guest'),
    ]

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Host',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40, unique=True)),
                ('state', models.CharField(choices=[('invited', 'invited'), ('joined', 'joined'), ('revoked', 'revoked')], default='invited', max_length=10)),
                ('is_guest', models.BooleanField(db_default=False, default=False)),
                ('token_digest', models.CharField(max_length=64, unique=True)),
                ('password_digest', models.CharField(blank=True, default='', max_length=64)),
                ('invited_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('joined_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['invited', 'joined', 'revoked'])), name='host_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'joined'), _negated=True), ('joined_at__isnull', False), _connector='OR'), name='host_joined_has_time')],
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('labels', models.CharField(max_length=100)),
                ('value', models.FloatField()),
            ],
            options={
                'verbose_name_plural': 'tallies',
                'constraints': [models.UniqueConstraint(fields=('name', 'labels'), name='tally_unique')],
            },
        ),
        migrations.CreateModel(
            name='TallyMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('counted_until', models.DateTimeField()),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='tally_mark_is_one')],
            },
        ),
    ]
