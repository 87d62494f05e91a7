"""Adds what bots did, and who follows bots and people."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ladder', '0004_house_bots_without_rating'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
    ]
