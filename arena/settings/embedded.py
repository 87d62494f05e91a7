"""Settings of an arena on one machine, which stores all its data in the DATA folder."""

from __future__ import annotations

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from arena.settings.base import *  # noqa: F403 - settings are composed by star import, as Django's own docs do
from arena.settings.base import BANZUKE_URL, BASE_DIR, SQLITE_OPTIONS, env
from arena.settings.environment import host_of
from arena.settings.stores import stores
from wire.logs import is_json, logging_config

DATA = Path(env.str("DATA", default=str(BASE_DIR / "data"))).resolve()
# The start script writes this file, readable by its owner only.
env.read_env(DATA / "secret.env")
# Read once more, for commands typed beside a running arena: the file has the URLs that the arena's own processes get in
# their environment.
REDIS_URL = env.str("REDIS_URL", default="")
BANZUKE_URL = env.str("BANZUKE_URL", default=BANZUKE_URL)
PUBLIC_URL = env.str("PUBLIC_URL", default=BANZUKE_URL)
SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY:
    raise ImproperlyConfigured(
        f"There is no secret in {DATA / 'secret.env'} yet. Please start the arena with `make run`."
    )

DEBUG = False
ALLOWED_HOSTS = [
    *env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"]),
    host_of(BANZUKE_URL),
]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA / "db.sqlite3",
        # Kept open: the last connection to close writes the whole WAL back, which takes longer than most tasks.
        "CONN_MAX_AGE": None,
        "OPTIONS": SQLITE_OPTIONS,
    }
}

STORAGES = stores(DATA)
# Not in the checkout: another user may own that, and two arenas of one checkout would write the same files.
STATIC_ROOT = DATA / "static"

# Nobody runs a mail server at home: mails, such as links for a new password, are printed in the log.
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"

LOGGING = logging_config(as_json=env("LOG_FORMAT", cast=is_json, default=False))
