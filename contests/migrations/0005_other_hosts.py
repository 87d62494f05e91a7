"""Private contests may say whether hosts that are not the site's play in them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("contests", "0004_tables_each")]

    operations = [
        migrations.AddField("contest", "other_hosts", models.BooleanField(db_default=False, default=False)),
    ]
