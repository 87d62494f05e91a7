"""Takes the games of a game's API out of this app: ``kakomimasu_api`` has their model now. Their table stays."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("exhibitions", "0001_release_2_0_0")]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("KakomimasuGame")]),
    ]
