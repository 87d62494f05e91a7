"""Many machines: every address and secret comes from the environment, and nothing that matters has a default."""

from __future__ import annotations

from pathlib import Path

from arena.settings.base import *  # noqa: F403 - settings are composed by star import, as Django's own docs do
from arena.settings.base import BANZUKE_URL, BASE_DIR, CACHES, DATABASE_POOL, DATABASE_TIMEOUTS, env
from arena.settings.environment import host_of
from arena.settings.stores import stores
from wire.logs import is_json, logging_config

SECRET_KEY = env.str("SECRET_KEY")
PUBLIC_HOSTS = env.list("ALLOWED_HOSTS")
PUBLIC_URL = env.str("PUBLIC_URL", default=f"https://{PUBLIC_HOSTS[0].lstrip('.')}")
# Workers may reach the site by another name; a site that refused it would void all matches.
ALLOWED_HOSTS = [*PUBLIC_HOSTS, host_of(BANZUKE_URL)]
DATABASES = {"default": env.postgresql("DATABASE_URL")}
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
# Views that are coroutines have a thread for each request: a connection that it keeps is never used again, and to open
# one costs more than most pages.
DATABASES["default"].setdefault("OPTIONS", {})["pool"] = DATABASE_POOL
# A machine that loses its power in the middle of a transaction would hold its locks until TCP gives it up, two hours
# later, and nobody else could hand out work until then.
# Servers may write dates in the way of a country, which our driver cannot read.
DATABASES["default"]["OPTIONS"].setdefault("options", "-c idle_in_transaction_session_timeout=60s -c datestyle=ISO")
# A line that is cut, or a firewall that has forgotten a connection, tells nobody either. Without these, managers and
# pages would wait a quarter of an hour if their question was lost, and two hours if the answer was.
for option, value in DATABASE_TIMEOUTS.items():
    DATABASES["default"]["OPTIONS"].setdefault(option, value)
REDIS_URL = env.str("REDIS_URL")

DEBUG = False
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in PUBLIC_HOSTS]
SECURE_SSL_REDIRECT = True
# Workers, health probes and collectors of metrics speak plain HTTP inside the private network.
SECURE_REDIRECT_EXEMPT = [r"^transfer/", r"^healthz$", r"^livez$", r"^metrics$", r"^fleet/join/$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
LANGUAGE_COOKIE_SECURE = True

CACHE_SECONDS_MAX = 2
"""A broker that is frozen, not gone, holds up whoever counts for no longer."""
# Shared by all web processes, or the limits on logins and workers' files would count in each one apart.
for name, prefix in {"default": "cache", "uploads": "uploads"}.items():
    CACHES[name] = {
        **CACHES[name],
        "BACKEND": "arena.serving.shared_cache.SharedCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": prefix,
        "OPTIONS": {"socket_timeout": CACHE_SECONDS_MAX, "socket_connect_timeout": CACHE_SECONDS_MAX},
    }

DATA = Path(env.str("DATA", default=str(BASE_DIR / "data"))).resolve()
STORAGES = stores(DATA, env.bucket("STORE_URL"))

# Whoever waits for a page waits for the mail, too.
EMAIL_TIMEOUT = 10
vars().update(env.mail("EMAIL_URL"))
# A mail server takes no mail from Django's own webmaster@localhost, and whoever gets one throws it away.
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default=f"banzuke@{PUBLIC_HOSTS[0].lstrip('.')}")

LOGGING = logging_config(as_json=env("LOG_FORMAT", cast=is_json, default=True))
