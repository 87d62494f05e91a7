"""Marks accounts whose passwords were made for them, and must be changed."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='password_once',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
