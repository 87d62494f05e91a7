"""Makes the tables of release 2.0.0."""

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('exhibitions', '0001_initial'),
        ('exhibitions', '0002_kakomimasu_games'),
        ('exhibitions', '0003_played'),
        ('exhibitions', '0004_kakomimasu_specs'),
    ]

    dependencies = [
        ('matches', '0001_release_2_0_0'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='KakomimasuGame',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('board', models.CharField(max_length=40)),
                ('agents', models.PositiveSmallIntegerField()),
                ('turns', models.PositiveSmallIntegerField()),
                ('operation_seconds', models.PositiveSmallIntegerField()),
                ('transition_seconds', models.PositiveSmallIntegerField()),
                ('waiting_name', models.CharField(blank=True, default='', max_length=100)),
                ('waiting_visitor', models.CharField(blank=True, default='', max_length=64)),
                ('waiting_secret_hash', models.CharField(blank=True, default='', max_length=64)),
                ('specs', models.JSONField(blank=True, null=True)),
                ('seen_at', models.DateTimeField()),
                ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='kakomimasu_game', to='matches.match')),
                ('waiting_user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Exhibition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('real_time', models.JSONField(blank=True, null=True)),
                ('original_turn', models.PositiveIntegerField(default=0)),
                ('played', models.JSONField(blank=True, default=list)),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='exhibition', to='matches.match')),
                ('original', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='matches.match')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('original__isnull', True), ('original_turn__gte', 1), _connector='OR'), name='exhibition_original_has_turn')],
            },
        ),
    ]
