"""Makes the tables of release 2.0.0."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('accounts', '0001_initial'),
        ('accounts', '0002_password_once'),
        ('accounts', '0003_tournament_notifications'),
        ('accounts', '0004_followed_notifications'),
        ('accounts', '0005_profile_text'),
        ('accounts', '0006_hook_off_notifications'),
        ('accounts', '0007_contest_notifications'),
    ]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('sessions_ended', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ('uploads_stopped', models.CharField(blank=True, default='', max_length=500)),
                ('mail_language', models.CharField(blank=True, db_default='', default='', editable=False, max_length=10)),
                ('password_once', models.BooleanField(db_default=False, default=False, editable=False)),
                ('affiliation', models.CharField(blank=True, db_default='', default='', editable=False, max_length=80)),
                ('about', models.TextField(blank=True, db_default='', default='', editable=False, max_length=1000)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Upper('username'), name='user_name_unique_whatever_capitals')],
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('actor_name', models.CharField(max_length=150)),
                ('act', models.CharField(max_length=40)),
                ('target', models.CharField(max_length=200)),
                ('reason', models.CharField(blank=True, default='', max_length=1000)),
                ('at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'audit entries',
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Notification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('built', 'built'), ('rejected', 'rejected'), ('not_built', 'not built'), ('probation', 'on probation'), ('withdrawn', 'withdrawn'), ('promoted', 'promoted'), ('trial_ended', 'test ended'), ('tournament_begins', 'tournament begins'), ('tournament_left', 'out of a tournament'), ('tournament_faults', 'at fault in a tournament'), ('tournament_over', 'tournament over'), ('contest_over', 'contest over'), ('followed', 'followed bot'), ('hook_off', 'webhook off')], max_length=20)),
                ('occasion', models.CharField(max_length=100)),
                ('values', models.JSONField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('mail_due', models.BooleanField(db_default=False, default=False)),
                ('reader', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='notifications', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['reader', '-id'], name='notification_newest'), models.Index(condition=models.Q(('read_at', None)), fields=['reader'], name='notification_unread'), models.Index(condition=models.Q(('mail_due', True)), fields=['id'], name='notification_mail_due')],
                'constraints': [models.UniqueConstraint(fields=('reader', 'kind', 'occasion'), name='notification_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['built', 'rejected', 'not_built', 'probation', 'withdrawn', 'promoted', 'trial_ended', 'tournament_begins', 'tournament_left', 'tournament_faults', 'tournament_over', 'contest_over', 'followed', 'hook_off'])), name='notification_kind_known')],
            },
        ),
    ]
