"""Takes over the model of games from ``exhibitions``, whose migrations made its table."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("exhibitions", "0002_game_of_own_app"),
        ("matches", "0001_release_2_0_0"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="KakomimasuGame",
                    fields=[
                        ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ("board", models.CharField(max_length=40)),
                        ("agents", models.PositiveSmallIntegerField()),
                        ("turns", models.PositiveSmallIntegerField()),
                        ("operation_seconds", models.PositiveSmallIntegerField()),
                        ("transition_seconds", models.PositiveSmallIntegerField()),
                        ("waiting_name", models.CharField(blank=True, default="", max_length=100)),
                        ("waiting_visitor", models.CharField(blank=True, default="", max_length=64)),
                        ("waiting_secret_hash", models.CharField(blank=True, default="", max_length=64)),
                        ("specs", models.JSONField(blank=True, null=True)),
                        ("seen_at", models.DateTimeField()),
                        (
                            "match",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="kakomimasu_game",
                                to="matches.match",
                            ),
                        ),
                        (
                            "waiting_user",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={"db_table": "exhibitions_kakomimasugame"},
                ),
            ],
        ),
    ]
