"""Makes the tables of release 2.0.0."""

import django.db.models.deletion
import django.utils.timezone
import webhooks.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('webhooks', '0001_initial'),
    ]

    dependencies = [
        ('accounts', '0001_release_2_0_0'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Hook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=500)),
                ('groups', models.JSONField()),
                ('nonce', models.CharField(default=webhooks.models.nonce_new, editable=False, max_length=32)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('failures', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('off_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hooks', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('due_at', models.DateTimeField(default=django.utils.timezone.now, null=True)),
                ('tried_at', models.DateTimeField(blank=True, null=True)),
                ('is_delivered', models.BooleanField(default=False)),
                ('status', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('fault', models.CharField(blank=True, choices=[('status', 'the answer was not 2xx'), ('no_answer', 'no answer in time'), ('unreachable', 'not reachable'), ('certificate', 'its certificate is not valid'), ('private', 'not a public address')], default='', max_length=12)),
                ('notification', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.notification')),
                ('hook', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='webhooks.hook')),
            ],
            options={
                'verbose_name_plural': 'deliveries',
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='delivery_due'), models.Index(fields=['hook', '-id'], name='delivery_newest'), models.Index(fields=['created_at'], name='delivery_by_age')],
                'constraints': [models.UniqueConstraint(fields=('hook', 'notification'), name='delivery_once'), models.CheckConstraint(condition=models.Q(('fault__in', ['', 'status', 'no_answer', 'unreachable', 'certificate', 'private'])), name='delivery_fault_known')],
            },
        ),
    ]
