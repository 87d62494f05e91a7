"""Settings of tests: the PostgreSQL of DATABASE_URL, or else an SQLite file; all files in a temporary folder."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path

from arena.settings.base import *  # noqa: F403 - settings are composed by star import, as Django's own docs do
from arena.settings.base import CACHES, SQLITE_OPTIONS, env
from arena.settings.stores import stores
from wire.logs import logging_config

DATA = Path(tempfile.mkdtemp(prefix="banzuke-test-"))
atexit.register(shutil.rmtree, DATA, ignore_errors=True)
STATIC_ROOT = DATA / "static"
STATIC_ROOT.mkdir()

SECRET_KEY = "only-for-tests"  # noqa: S105 - no server runs with it
ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ACCOUNT_RATE_LIMITS = False
UPLOAD_STORED_SECONDS = 0
# Tests say themselves which providers there are.
SIGN_IN_OPENID, SIGN_IN_GITHUB = {}, {}
API_RATES = {}
# Tests read a page again at once.
CACHES["pages"] = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"

if env.str("DATABASE_URL", default=""):
    # `make test` names a database that is migrated, to be copied.
    DATABASES = {"default": env.db("DATABASE_URL") | {"TEST": {"TEMPLATE": env.str("DATABASE_TEMPLATE", default=None)}}}
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": DATA / "db.sqlite3",
            # A file, as in `embedded`, and not in memory: live servers and threads have connections of their own.
            "TEST": {"NAME": DATA / "test.sqlite3"},
            "OPTIONS": SQLITE_OPTIONS,
        }
    }

STORAGES = stores(DATA) | {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

LOGGING = logging_config(as_json=False)
