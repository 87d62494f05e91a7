"""What every installation shares."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from arena.settings.environment import Environment
from games.housebots import FOLDER
from games.registry import game_names

env = Environment()

BASE_DIR = Path(__file__).resolve().parent.parent.parent

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    # Before the admin site and allauth, so that our templates are found first.
    "arena",
    "common",
    "accounts",
    "jobs",
    "ladder",
    "matches",
    "fleet",
    "django.contrib.admin",
    "allauth",
    "allauth.account",
    "allauth.mfa",
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
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "arena.urls"
ASGI_APPLICATION = "arena.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FOLDER],  # the guides of the games
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

SQLITE_OPTIONS = {
    "timeout": 20,
    # A transaction that reads first and writes later would fail at once instead of waiting its turn.
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
}
DATABASE_POOL = {"min_size": 1, "max_size": 12, "timeout": 5, "reconnect_timeout": 5}
"""Connections of one process to PostgreSQL; whoever finds none free waits ``timeout`` seconds.

A connection that cannot be made is given up soon, and tried again by the next who asks. The pool by itself would try
for five minutes, with pauses that double: it would be without a database for twice as long as that was away."""

DATABASE_TIMEOUTS = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 15_000,
}
"""After how long a silent PostgreSQL is taken for gone, in the names and units of its libpq: 15 s. A statement may take
longer, since it is the machine at the other end that answers these probes."""

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ja", "日本語"), ("ru", "Русский")]
"""Each by its own name: whoever looks for a language knows that one."""
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["arena.formats"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "static-root"
STATICFILES_DIRS = [(f"games/{name}", FOLDER / name / "viewer") for name in game_names()]
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
LOGIN_REDIRECT_URL = "home"
LOGIN_URL = "account_login"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
# The attacks: the sign-up page told whether an address has an account, and nobody could sign up any more with his own
# when somebody else had used it, which needs no proof.
ACCOUNT_PREVENT_ENUMERATION = "strict"
SIGN_UP_CLOSED = env.switch("SIGN_UP_CLOSED")
"""Administrators alone make accounts: for a class, a company, or when the contest has begun."""
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_VALIDATORS = "common.validators.username_validators"
ACCOUNT_USERNAME_BLACKLIST = ["house", "banzuke", "root", "system"]
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {"signup": "accounts.sign_up.SignUpForm"}
# For another e-mail address the password is asked for once more: a browser left open, or a stolen cookie, would
# otherwise be enough for a mail with a new password, and so for the account.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# The attack: somebody else changes password, address or second factor, and the owner learns of it too late.
ACCOUNT_EMAIL_NOTIFICATIONS = True
# Two-factor authentication by an authenticator app, with recovery codes; who has no address may have it, too.
MFA_ADAPTER = "accounts.two_factor.TwoFactorAdapter"
MFA_FORMS = {
    "authenticate": "accounts.two_factor.SignInCodeForm",
    "reauthenticate": "accounts.two_factor.ConfirmCodeForm",
}
MFA_TOTP_ISSUER = "Banzuke"
MFA_TOTP_TOLERANCE = 1  # a code that runs out while it is typed is good, as RFC 6238 recommends
MFA_ALLOW_UNVERIFIED_EMAIL = True
ADMIN_MFA_REQUIRED = env.switch("ADMIN_MFA_REQUIRED")
"""Administrators without two-factor authentication are led to set it up before they may do anything as such."""
# Guessing passwords and codes, filling the site with accounts and keeping it busy with archives stop here; answered
# with 429.
ACCOUNT_RATE_LIMITS: dict[str, str] | bool = {
    "signup": "100/h/ip",
    "login": "30/m/ip",
    # The key is the account and the address, so that nobody keeps another out.
    "login_failed": "10/m/ip,5/300s/key,20/d/key",
    # The account alone, for all addresses and browsers from which nobody has signed in to it.
    "login_strangers": "1000/d/key",
    "code": "20/d/key",
    "upload": "30/m/user",
    "download": "60/h/user",
    "rerun": "20/h/user",
    "trial": "20/h/user",
    "challenge": "20/h/user",
    "token": "20/h/user",
    "log": "30/m/ip",
}

# --- The API --------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "api.problems.problem_response",
    "DEFAULT_SCHEMA_CLASS": "api.description.ApiSchema",
}
"""All else that the library has settings for stands at ``api.base.Api``."""
API_RATES: dict[str, str] = {"anon": "120/min", "user": "600/min"}
"""Requests of one address that does not say who it is, and of one user. Uploads, re-runs, tests and logins are limited
as at the site's own forms, above."""
API_SAME_ORIGIN = env.switch("API_SAME_ORIGIN")
"""Pages of other sites get no answers of the API in browsers. In a closed network any page out there could otherwise
read the arena through the browser of somebody inside, which needs no account."""
REST_KNOX = {
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_TTL": timedelta(days=365),
    # Lets tools that look for secrets in public code know a token when they see one.
    "TOKEN_PREFIX": "banzuke_",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Banzuke",
    "DESCRIPTION": "All that the site shows and does, for programs.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    # What is sent and what is answered are two shapes: an upload goes in as bytes and comes out as an address.
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.description.add_problems",
        "api.description.tell_defaults",
    ],
    "ENUM_NAME_OVERRIDES": {
        "VersionState": "ladder.models.BotVersion.State",
        "WorkerState": "jobs.models.Worker.State",
        "MatchKind": "matches.models.Match.Kind",
        "MatchState": "matches.models.Match.State",
        "NotificationKind": "accounts.models.Notification.Kind",
        "TrialState": "matches.models.Trial.State",
        "HostState": "fleet.models.Host.State",
        "GameState": "ladder.models.GameSetting.State",
        "AnnouncementLevel": "ladder.models.Announcement.Level",
    },
}

# --- What the browser may do ----------------------------------------------------------------------------------------

# No inline script or style anywhere: text that gets past the escaping still cannot run.
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
    # Apart from the default one, where logins are counted: whoever asks for many pages must not push the counts out.
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "OPTIONS": {"MAX_ENTRIES": 500},
    },
    "cached": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "cached"},
    # Apart, too: a host that stores many files must not push out the counts of logins.
    "uploads": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "uploads",
        "max_entries": 20_000,
    },
}
"""``pages``: finished pages of one web process, for seconds; ``kept``: what these read (``common.queries.cached``);
``uploads``: what workers have stored by each address."""

# --- Uploads --------------------------------------------------------------------------------------------------------

UPLOAD_MAX_BYTES = 5 * 1024 * 1024
"""One uploaded bot, as it comes."""
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
"""All fields of a form but its file: two megabytes of percent signs took seconds to read."""
TRANSFER_MAX_BYTES = 64 * 1024 * 1024
"""One artifact from a worker; nothing else that workers send is larger."""
REPLAY_MAX_BYTES = 16 * 1024 * 1024
"""One replay, or log of turns: more than any replay has unpacked, and than four bots that write noise to standard error
make of a log."""
USER_BYTES_MAX = 100 * 1024 * 1024
"""Checked uploads one user may keep."""
USER_VERSIONS_PER_HOUR = 20
USER_ACTIVE_BOTS_MAX = 10

# --- The arena ------------------------------------------------------------------------------------------------------

REDIS_URL = env.str("REDIS_URL", default="")
"""Broker; also checked by the health endpoint."""
BANZUKE_URL = env.str("BANZUKE_URL", default="http://127.0.0.1:8000")
"""The address under which workers reach this site."""
PUBLIC_URL = env.str("PUBLIC_URL", default=BANZUKE_URL)
"""The address under which people do, for mails (``accounts.mails``)."""
SOURCE_URL = env.str("SOURCE_URL", default="")
"""Where the program of this arena can be read; the foot of each page leads there. Empty: it does not."""
CONTACT = env.str("CONTACT", default="")
"""An e-mail address, or the address of a page, at which users reach the administrators; empty: the foot names none."""
GAMES: list[str] = env.list("GAMES", default=["kakomimasu", "attack25", "wondev_woman", "back_to_the_code", "puyo"])
"""The games this arena offers, of those the core knows. Each needs a guide, a drawing module and house bots."""
BOT_LIMITS: dict[str, dict[str, int]] = env.json("BOT_LIMITS", default={})
"""By game, what its bots may use where that is not what the game declares: ``{"puyo": {"memory_mib": 512}}``.

The names and bounds are those of ``wire.jobs.BotLimits``.
"""
PROCESSES_ASSUMED = env.int("PROCESSES_ASSUMED", default=2)
"""How many processes may be thought to play while no worker has told of itself."""
MATCHES_IN_FLIGHT = env.int("MATCHES_IN_FLIGHT", default=4)
"""Matches of a game that wait or run at once: few, since a game with slow bots lets the others wait for so long.

At least two for each playing process keep all of them busy with one game.
"""
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
"""What collectors of metrics show as ``Authorization: Bearer``; empty: administrators alone see /metrics."""
BROKER_PUBLIC_URL = env.str("BROKER_PUBLIC_URL", default="")
"""Address of the broker for hosts that join, without a user; empty: that of REDIS_URL."""
