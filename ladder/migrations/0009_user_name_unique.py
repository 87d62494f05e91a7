"""Names of users are the same whatever their capitals."""

from itertools import chain, count

from django.db import migrations, models
from django.db.models.functions import Upper

NAME_LENGTH_MAX = 150


def names_differ(apps, schema_editor):
    """Give the younger of two that differ in capitals alone a number; neither could sign in any more."""
    User = apps.get_model("ladder", "User")
    taken = set()
    for user in User.objects.only("username").order_by("pk"):
        name = free_name(user.username, taken)
        taken.add(name.upper())
        if name != user.username:
            User.objects.filter(pk=user.pk).update(username=name)


def free_name(name, taken):
    names = (name[: NAME_LENGTH_MAX - len(end)] + end for end in chain([""], (f"-{n}" for n in count(2))))
    return next(name for name in names if name.upper() not in taken)


class Migration(migrations.Migration):
    dependencies = [("ladder", "0008_bot_name_keys")]

    operations = [
        migrations.RunPython(names_differ, migrations.RunPython.noop),
        migrations.AddConstraint(
            "user", models.UniqueConstraint(Upper("username"), name="user_name_unique_whatever_capitals")
        ),
    ]
