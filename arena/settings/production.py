"""Settings of an arena on many machines: all hosts, URLs and secrets come from the environment, without defaults."""

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
# Workers may reach the site by another host name. If the site refused it, all matches would become void.
ALLOWED_HOSTS = [*PUBLIC_HOSTS, host_of(BANZUKE_URL)]
DATABASES = {"default": env.postgresql("DATABASE_URL")}
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
# Asynchronous views run in a new thread for each request. Without a pool each thread would open a connection, which
# costs more than most pages, and would not reuse it.
DATABASES["default"].setdefault("OPTIONS", {})["pool"] = DATABASE_POOL
# A machine that loses its power during a transaction would hold its locks until TCP gives up the connection two hours
# later, and nobody else could hand out work until then.
# A server may be configured to write dates in a national format, which our driver cannot read.
DATABASES["default"]["OPTIONS"].setdefault("options", "-c idle_in_transaction_session_timeout=60s -c datestyle=ISO")
# A network that fails, or a firewall that drops a connection, tells nobody. Without these options managers and pages
# would wait a quarter of an hour if their statement was lost, and two hours if the result was.
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
"""How long a request waits for a frozen broker before it counts in its own process."""
# Shared by all web processes: otherwise each process would have its own limits on logins and workers' files.
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

# A mail is sent while a user waits for the page.
EMAIL_TIMEOUT = 10
vars().update(env.mail("EMAIL_URL"))
# Mail servers refuse mails from Django's default webmaster@localhost, or treat them as spam.
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default=f"banzuke@{PUBLIC_HOSTS[0].lstrip('.')}")

LOGGING = logging_config(as_json=env("LOG_FORMAT", cast=is_json, default=True))
