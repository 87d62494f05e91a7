"""Settings that all installations share."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

from arena.settings.description import DESCRIPTION
from arena.settings.environment import Environment
from arena.settings.pages import PAGES_OF_ROWS
from arena.settings.providers import github, openid_connect
from games.registry import game_names, games_broken
from games.viewers import viewer_folders

env = Environment()

BASE_DIR = Path(__file__).resolve().parent.parent.parent

GAME_APIS = {"kakomimasu_api": re.compile(r"/(?:v1|version)(?:/|$)")}
"""Apps that speak the API of another server of a game, so that its clients play here, and the paths that each answers.

Cookies do not count at these paths, so pages of all origins may play there (``arena.serving.other_origins``).
"""

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    # Before the admin site and allauth, so that our templates override theirs.
    "arena",
    "common",
    "accounts",
    "jobs",
    "contests",
    "ladder",
    "workshop",  # before matches, which register their jobs last (``jobs.services.dispatching``)
    "matches",
    "downloads",
    "tournaments",
    "exhibitions",
    *GAME_APIS,
    "webhooks",
    "fleet",
    "django.contrib.admin",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "csp",
    "django_htmx",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "api",
]

MIDDLEWARE = [
    "arena.serving.other_origins.ReadableFromOtherOrigins",
    "arena.serving.utf8.Utf8Only",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.one_time.PasswordOnce",
    "accounts.kept_forms.KeptForms",
    "django_htmx.middleware.HtmxMiddleware",
    "contests.headers.ContestHeaders",
]

ROOT_URLCONF = "arena.urls"
ABSOLUTE_URL_OVERRIDES = PAGES_OF_ROWS
ASGI_APPLICATION = "arena.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["ladder.guides.pages.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
        },
    },
]

SQLITE_OPTIONS = {
    "timeout": 20,
    # By default a transaction that reads first and writes later fails at once instead of waiting for its turn.
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
}
DATABASE_POOL = {"min_size": 1, "max_size": 20, "timeout": 5, "reconnect_timeout": 5}
"""The pool of one process's connections to PostgreSQL; a thread that finds none free waits up to ``timeout`` seconds.

``reconnect_timeout`` is short, so that the next thread that needs a connection tries again. By default the pool tries
for five minutes, with pauses that double: after an outage it would stay without a database for as long again."""

DATABASE_TIMEOUTS = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 15_000,
}
"""Options of libpq by which a connection to a silent PostgreSQL is given up after 15 s. A statement may take longer,
since the operating system of the other machine answers these probes."""

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ja", "日本語"), ("ru", "Русский")]
"""Each language by its own name, which its readers know."""
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["arena.formats"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "static-root"
STATICFILES_DIRS = [(f"games/{key}", folder) for key, folder in viewer_folders().items()]
WHITENOISE_ALLOW_ALL_ORIGINS = False

# --- Accounts -------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.AccountBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL, LOGIN_REDIRECT_URL = "account_login", "home"
OWN_PAGE_URL = "ladder:mine"
"""Name of the url of a user's own page, to which the pages of the account lead back, and leaving a contest."""
CSRF_FAILURE_VIEW = "accounts.kept_forms.csrf_failure"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
# The attacks: somebody learns on the sign-up page whether an e-mail address has an account; or uses another's address,
# without proof, so that its owner cannot sign up with it any more.
ACCOUNT_PREVENT_ENUMERATION = "strict"
SIGN_UP_CLOSED = env.switch("SIGN_UP_CLOSED")
"""Whether only administrators create accounts: for a class, a company, or when the contest has begun."""
CONTESTS_BY_USERS = env.switch("CONTESTS_BY_USERS")
"""Whether every signed-in user may make contests; otherwise only administrators may."""
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_VALIDATORS = "common.validators.username_validators"
ACCOUNT_USERNAME_BLACKLIST = ["house", "banzuke", "root", "system"]
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {"login": "accounts.forms.SignInForm", "signup": "accounts.sign_up.SignUpForm"}
ACCOUNT_FORMS |= {"add_email": "accounts.forms.AddressForm", "reset_password": "accounts.forms.NewPasswordForm"}
# A change of the e-mail address needs the password once more. The attack: somebody with a stolen cookie, or at a
# browser left open, sets his own address, orders a link for a new password, and so takes over the account.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# The attack: somebody else changes password, e-mail address or second factor, and the owner learns of it too late.
ACCOUNT_EMAIL_NOTIFICATIONS = True
# Two-factor authentication by an authenticator app and recovery codes; for accounts without an e-mail address, too.
MFA_ADAPTER = "accounts.two_factor.TwoFactorAdapter"
MFA_FORMS = {
    "authenticate": "accounts.two_factor.SignInCodeForm",
    "reauthenticate": "accounts.two_factor.ConfirmCodeForm",
}
MFA_TOTP_ISSUER = "Banzuke"
MFA_TOTP_TOLERANCE = 1  # accept a code that has expired while it was typed, as RFC 6238 recommends
MFA_ALLOW_UNVERIFIED_EMAIL = True
# Sign-in by OpenID Connect and GitHub, beside passwords (``accounts.providers``); empty: not offered.
SIGN_IN_OPENID: dict[str, str] = openid_connect(
    url=env.str("OIDC_URL", default=""),
    client_id=env.str("OIDC_CLIENT_ID", default=""),
    secret=env.str("OIDC_CLIENT_SECRET", default=""),
    name=env.str("OIDC_NAME", default=""),
)
SIGN_IN_GITHUB: dict[str, str] = github(
    client_id=env.str("GITHUB_CLIENT_ID", default=""), secret=env.str("GITHUB_CLIENT_SECRET", default="")
)
SOCIALACCOUNT_ADAPTER = "accounts.providers.ProviderAdapter"
SOCIALACCOUNT_FORMS = {"signup": "accounts.sign_up.ProviderSignUpForm"}
# PKCE: a code that somebody has stolen on its way through the browser is worth nothing.
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True}, "github": {"OAUTH_PKCE_ENABLED": True}}
SOCIALACCOUNT_QUERY_EMAIL = True
# Users choose the name that everybody reads here; the one that a provider knows may be their real name.
SOCIALACCOUNT_AUTO_SIGNUP = False
# The attack: a provider claims that its user has the address of somebody else's account, and its user is let in there.
# So addresses never sign in to an account, nor connect to it, even if both sides have verified them: owners connect a
# provider themselves, signed in.
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = False
# The attack: some page sends a visitor to the sign-in of a provider by a link alone, and so into another account.
SOCIALACCOUNT_LOGIN_ON_GET = False
SOCIALACCOUNT_STORE_TOKENS = False
ADMIN_MFA_REQUIRED = env.switch("ADMIN_MFA_REQUIRED")
"""Whether administrators must set up two-factor authentication before they may act as such."""
# Limits on guessing passwords and codes, on creating accounts, and on actions that keep the site busy; a request over
# a limit is answered with 429. They count by IP address (`ip`), user, name of an account (`key`), or by visitor: the
# user, or the IP address of guests (`common.limits`).
ACCOUNT_RATE_LIMITS: dict[str, str] | bool = {
    "signup": "100/h/ip",
    "login": "30/m/ip",
    # The key is the account with the IP address, so that nobody can lock out another user.
    "login_failed": "10/m/ip,5/300s/key,20/d/key",
    # The key is the account alone, for all IP addresses and browsers from which nobody has signed in to it before.
    "login_strangers": "1000/d/key",
    "code": "20/d/key",
    "upload": "30/m/user",
    "download": "60/h/user",
    "export": "6/h/user",
    "rename": "5/d/user",
    "profile": "30/h/user",
    "rerun": "20/h/user",
    "trial": "20/h/user",
    "challenge": "20/h/user",
    "contest": "30/h/user",
    "token": "20/h/user",
    "hook": "60/h/user",
    "people": "120/h/user",
    "roster": "20/h/user",
    "join": "120/m/visitor",  # a class joins at once, from one address
    "log": "30/m/visitor",
    "follow": "60/m/user",
    "picture": "60/m/visitor",  # for what shows previews of links; painting one takes tens of milliseconds
    "try": "240/h/user",
    "draft": "60/m/user",
    "table": "120/h/visitor",  # guests open tables, too
}
NETWORK_LIMITS: dict[str, int] = {"requests": 256, "listeners": 64, "tables": 2}
"""What one IP address may have at once: requests that a web process answers, those of users included; and for all its
guests together, live matches that they follow at a web process, and open tables."""
USER_LIMITS: dict[str, int] = {"listeners": 12, "tables": 2}
"""What a user may have at once: live matches followed at a web process, and open tables."""
TRUSTED_NETWORKS: dict[str, dict[str, int | str]] = env.json("TRUSTED_NETWORKS", default={})
"""Limits of known networks, for each of their IP addresses: ``{"192.0.2.7": {"listeners": 200, "signup": "500/h"}}``.

The names are those of ``NETWORK_LIMITS``, those of ``ACCOUNT_RATE_LIMITS`` that look at IP addresses, and ``anon`` of
``API_RATES``.
"""

# --- The API --------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "api.problems.problem_response",
    "DEFAULT_SCHEMA_CLASS": "api.description.ApiSchema",
}
"""``api.base.Api`` sets the library's other options."""
API_RATES: dict[str, str] = {"anon": "120/min", "user": "600/min"}
"""Limits on requests without a user, by IP address, and on those of one user. Uploads, re-runs, tests and logins are
limited together with the site's own forms, by ACCOUNT_RATE_LIMITS."""
API_SAME_ORIGIN = env.switch("API_SAME_ORIGIN")
"""Whether pages of other sites may not read the API. For closed networks: otherwise any page on the internet could read
the arena through the browser of somebody inside, without an account."""
REST_KNOX = {
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_TTL": timedelta(days=365),
    # A prefix by which tools that search public code for secrets recognize a token.
    "TOKEN_PREFIX": "banzuke_",
}
SPECTACULAR_SETTINGS = DESCRIPTION

# --- What the browser may do ----------------------------------------------------------------------------------------

# No inline script or style is allowed: text that escaped escaping cannot run.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SAMESITE = "Lax"

# --- Pages ----------------------------------------------------------------------------------------------------------

CACHES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # Apart from the default one, which counts logins: many requests for pages must not evict those counts.
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "OPTIONS": {"MAX_ENTRIES": 500},
    },
    "values": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "values",
        "OPTIONS": {"MAX_ENTRIES": 5_000},
    },
    # Apart, too: a host that stores many files must not evict the counts of logins.
    "uploads": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "uploads",
        "max_entries": 20_000,
    },
}
"""Two caches of one web process: ``pages``, whole answers for everybody (``ladder.page_cache``, files of boards,
pictures of matches); ``values``, what many pages read, for seconds (``common.queries.cached``). And two counts:
``default``, of sign-ins and requests; ``uploads``, of the files that workers have stored by each signed URL."""

# --- Uploads --------------------------------------------------------------------------------------------------------

UPLOAD_MAX_BYTES = 5 * 1024 * 1024
"""Largest upload of a bot, packed."""
UPLOAD_STORED_SECONDS = 90
"""How long after a freeze uploads that came before it may still be stored; see ``common.arrivals.BODY_SECONDS``."""
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
"""Largest size of all fields of a form except files. The attack: two megabytes of percent signs take seconds to
parse."""
TRANSFER_MAX_BYTES = 64 * 1024 * 1024
"""Largest artifact from a worker; nothing else that workers send is larger."""
REPLAY_MAX_BYTES = 16 * 1024 * 1024
"""Largest replay or log of turns: more than any unpacked replay has, and more than the log of four bots that write
random bytes to standard error."""
USER_BYTES_MAX = 100 * 1024 * 1024
"""Largest size of all stored uploads of one user."""
USER_VERSIONS_PER_HOUR = 20
USER_ACTIVE_BOTS_MAX = 10

# --- The arena ------------------------------------------------------------------------------------------------------

REDIS_URL = env.str("REDIS_URL", default="")
"""URL of the broker."""
BANZUKE_URL = env.str("BANZUKE_URL", default="http://127.0.0.1:8000")
"""The URL at which workers reach this site."""
PUBLIC_URL = env.str("PUBLIC_URL", default=BANZUKE_URL)
"""The URL at which people reach this site, for mails (``accounts.mails``)."""
SOURCE_URL = env.str("SOURCE_URL", default="")
"""URL of the source code of this arena, linked in the foot of each page; empty: no link."""
CONTACT = env.str("CONTACT", default="")
"""E-mail address or URL of the administrators, linked in the foot of each page; empty: no link."""
GAMES: list[str] = [
    name for name in env.list("GAMES", default=list(game_names())) if name in game_names() or name not in games_broken()
]
"""The games that this arena offers, in the order of its pages; by default all that are installed.

A game whose package cannot be used is left out: the other games go on, and ``arena.checks`` names it.
"""
CONTEST_LIMITS_MAX: dict[str, int] = env.json("CONTEST_LIMITS_MAX", default={})
"""Changes of ``contests.validation.LIMITS_MAX``, for limits that organisers who are no administrators give."""
BOT_LIMITS: dict[str, dict[str, int]] = env.json("BOT_LIMITS", default={})
"""By game, limits (``wire.jobs.BotLimits``) in place of those that it declares: ``{GAME: {"memory_mib": 512}}``."""
PROCESSES_ASSUMED = env.int("PROCESSES_ASSUMED", default=2)
"""The number of playing processes that is assumed before the first worker has sent a beat."""
MATCHES_IN_FLIGHT = env.int("MATCHES_IN_FLIGHT", default=4)
"""How many matches of a game may wait or run at a time. Few, since those of a game with slow bots delay other games.

At least two for each playing process keep all processes busy with one game.
"""
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
"""The bearer token with which collectors read /metrics; empty: only administrators can."""
BROKER_PUBLIC_URL = env.str("BROKER_PUBLIC_URL", default="")
"""URL of the broker for hosts that join, without a user; empty: REDIS_URL."""
