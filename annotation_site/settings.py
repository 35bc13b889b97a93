"""Settings of the site: the only module that reads the environment (docs/operate.md)."""

import secrets
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from annotation_site import env, sqlite
from annotation_site.sentry import report_to_sentry
from tomahto.matching.table import model_variables

VERSION = "0.1.0"
BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env.folder("TOMAHTO_DATA", BASE_DIR / "data")
PRODUCTION = env.flag("TOMAHTO_PRODUCTION")
DEBUG = env.flag("TOMAHTO_DEBUG")
if PRODUCTION and DEBUG:
    raise ImproperlyConfigured("TOMAHTO_DEBUG must not be set together with TOMAHTO_PRODUCTION")


def _secret_key() -> str:
    """From the environment; without one, a key made once and kept in the data folder."""
    if key := env.text("TOMAHTO_SECRET_KEY"):
        return key
    if PRODUCTION:
        raise ImproperlyConfigured("TOMAHTO_SECRET_KEY must be set in production")
    path = DATA_DIR / "secret-key"
    DATA_DIR.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        with suppress(FileExistsError), path.open("x") as file:
            path.chmod(0o600)
            file.write(secrets.token_urlsafe(50))
    return path.read_text()


def _unusable(error: OSError) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"the data folder {DATA_DIR} cannot be used: {error}")


try:
    SECRET_KEY = _secret_key()
except OSError as error:
    raise _unusable(error) from error
ALLOWED_HOSTS = env.names("TOMAHTO_ALLOWED_HOSTS") or ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = env.names("TOMAHTO_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "tasks",
    "annotation_site.operators.OperatorsConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "csp",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
]

MIDDLEWARE = [
    "annotation_site.request_log.RequestLogMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "annotation_site.middleware.NoStoreMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "annotation_site.middleware.ContentPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "annotation_site.middleware.PageLanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "annotation_site.middleware.ActingMiddleware",
    "annotation_site.middleware.PageMessagesMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tasks.web.page.ArchivedCampaignMiddleware",
    "annotation_site.middleware.DirectionMarksMiddleware",
]

ROOT_URLCONF = "annotation_site.urls"
WSGI_APPLICATION = "annotation_site.wsgi.application"
FORM_RENDERER = "annotation_site.formats.Renderer"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "tasks.web.page.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ],
            "libraries": {"request_tags": "annotation_site.request_log"},
        },
    }
]

# --- data -----------------------------------------------------------------------------------

_postgres = env.postgres("DATABASE_URL")
# a write-ahead log needs a disk of this machine; TRUNCATE does without shared memory
_journals = sqlite.safe_journals()
_journal = env.one_of("TOMAHTO_SQLITE_JOURNAL", _journals, default=_journals[0])
_embedded = {
    "ENGINE": "annotation_site.sqlite",
    "NAME": DATA_DIR / "tomahto.sqlite3",
    "OPTIONS": sqlite.options(_journal),
}
DATABASES = {
    "default": {
        **(_postgres or _embedded),
        # a connection lives as long as its thread; checked before a request uses it again
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": bool(_postgres),
    }
}
# what a page or call asks of PostgreSQL is cancelled after so long, 0 for never; jobs and commands
# have an hour
STATEMENT_SECONDS = env.number("TOMAHTO_STATEMENT_SECONDS", 30)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
RELEASES_DIR = DATA_DIR / "releases"
# a place in an object store for what the site releases; empty: the folder above
RELEASES_URL = env.s3_url("TOMAHTO_RELEASES_URL")
if RELEASES_URL and find_spec("boto3") is None:
    raise ImproperlyConfigured("TOMAHTO_RELEASES_URL needs the packages of the extra s3")
MATCHERS_DIR = DATA_DIR / "matchers"  # the weights that no row has room for

# --- people ---------------------------------------------------------------------------------

AUTH_USER_MODEL = "tasks.User"
AUTHENTICATION_BACKENDS = [
    "tasks.access.guards.logins.GuardedBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
CSRF_FAILURE_VIEW = "tasks.web.page.csrf_failure"
# wrong passwords and codes for one account, and from one network address, in a quarter of an hour;
# an institute's raters may share an address
LOGIN_TRIES = 10
LOGIN_TRIES_PER_ADDRESS = 200
# how many proxies in front append to X-Forwarded-For, which is not believed otherwise
TRUSTED_PROXIES = env.number("TOMAHTO_TRUSTED_PROXIES", 0)
OTP_TOTP_ISSUER = "Tomahto"
PASSWORD_RESET_TIMEOUT = 86_400  # seconds

# --- mail -----------------------------------------------------------------------------------

# without it nobody is sent anything, and the login page offers no reset by e-mail
_mail = env.mail("TOMAHTO_EMAIL_URL")
SENDS_MAIL = _mail is not None
if _mail:
    EMAIL_BACKEND = _mail.backend
    EMAIL_HOST, EMAIL_PORT = _mail.host, _mail.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail.user, _mail.password
    EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.starts_tls, _mail.is_tls
    EMAIL_FILE_PATH = _mail.folder
    EMAIL_TIMEOUT = 20
    DEFAULT_FROM_EMAIL = env.text("TOMAHTO_EMAIL_FROM")
    if not DEFAULT_FROM_EMAIL:
        raise ImproperlyConfigured("TOMAHTO_EMAIL_FROM must be set with TOMAHTO_EMAIL_URL")

# --- jobs -----------------------------------------------------------------------------------

_broker = env.text("TOMAHTO_BROKER_URL")
_queue = DATA_DIR / "queue"
CELERY_APP_PATH = "annotation_site.celery.app"
CELERY_BROKER_URL = _broker or "filesystem://"
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        # a worker that dies is noticed by the lease of its job; the broker redelivers soon after
        "visibility_timeout": 120,
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 1,
    }
    if _broker
    else {
        "data_folder_in": str(_queue / "messages"),
        "data_folder_out": str(_queue / "messages"),
        "control_folder": str(_queue / "control"),
        "polling_interval": 0.1,
    }
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# how long a worker whose process was killed waits for a result of it, and does nothing else
CELERY_WORKER_LOST_WAIT = 1.0
# a worker silent for this long is taken for dead, and a message unheard for this long for lost
JOB_LEASE_SECONDS = env.number("TOMAHTO_JOB_LEASE_SECONDS", 30, least=1)
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "tasks.sweep", "schedule": 5.0},
    "assessments": {"task": "tasks.assess_due", "schedule": 60.0},
    "alerts": {"task": "tasks.tell_alerts", "schedule": 60.0},
    "webhooks": {"task": "tasks.deliver", "schedule": 5.0},
    "messages": {"task": "tasks.mail_messages", "schedule": 20.0},
    "invitations": {"task": "tasks.send_invitations", "schedule": 60.0},
    "old-events": {"task": "tasks.tidy_webhooks", "schedule": 3600.0},
    "stalls": {"task": "tasks.watch_progress", "schedule": 600.0},
    "removals": {"task": "tasks.remove_deleted", "schedule": 3600.0},
    "item-summaries": {"task": "tasks.refresh_due_items", "schedule": 60.0},
}
if not _broker:
    try:
        for _folder in ("messages", "control"):
            (_queue / _folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(error) from error

# --- models ---------------------------------------------------------------------------------

# folders or ids of the Hugging Face hub, by the variable that names them; empty: none
MODELS = {each.name: env.text(each.name) or each.default for each in model_variables()}
# the TOML file of answerers; the one in the data folder need not be there
ANSWERERS_FILE = env.file("TOMAHTO_ANSWERERS", DATA_DIR / "answerers.toml")
# the table of other names of entities; the one in the data folder need not be there
ALIASES_FILE = env.file("TOMAHTO_ALIASES", DATA_DIR / "aliases.jsonl")
# trained weights that the site's operator puts there, KIND/NAME.json
WEIGHTS_DIR = DATA_DIR / "weights"

# --- outgoing requests -----------------------------------------------------------------------

# what inside the own network may be asked; the public internet always may
OUTGOING_ALLOWED = env.names("TOMAHTO_OUTGOING_ALLOWED")
API_KEYS = env.api_keys()
ENDPOINT_CACHE = env.folder("TOMAHTO_ENDPOINT_CACHE", DATA_DIR / "endpoint-cache")

# --- web ------------------------------------------------------------------------------------

# where people reach the site, for links in what is sent to them: https://tomahto.example.org
SITE_URL = env.site_url("TOMAHTO_SITE_URL")

STATIC_URL = "static/"
# without production, files are served from where they lie
STATIC_ROOT = env.folder("TOMAHTO_STATIC", BASE_DIR / "static-collected") if PRODUCTION else None
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = not PRODUCTION
if PRODUCTION:
    STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
FILE_UPLOAD_MAX_MEMORY_SIZE = 1 << 20
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 << 20

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "German")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "annotation_site.formats"
LANGUAGE_COOKIE_AGE = 31_536_000
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
if PRODUCTION:
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    LANGUAGE_COOKIE_SECURE = True
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}

# of one account, 0 for no limit: two hundred a second, more than raters' programs make by
# themselves, and still a part of what a small site answers
API_CALLS_PER_MINUTE = env.number("TOMAHTO_API_CALLS_PER_MINUTE", 12_000)
# where they are counted: in the Redis of the broker, else in the memory of each process
API_CALLS_REDIS = _broker if _broker.startswith(("redis://", "rediss://", "unix://")) else ""

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tasks.access.guards.tokens.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "tasks.access.guards.tokens.HasScope",
        "tasks.access.guards.tokens.InItsCampaign",
    ],
    "DEFAULT_THROTTLE_CLASSES": ["tasks.access.guards.tokens.CallThrottle"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["tasks.web.calls.ShallowJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "tasks.web.calls.UsualNegotiation",
    "EXCEPTION_HANDLER": "tasks.web.api_errors.handle_error",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tomahto",
    "DESCRIPTION": "Rate answers, watch agreement, download releases.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "tasks.web.api_errors.add_common_answers",
    ],
    "PATH_CONVERTER_OVERRIDES": {"text": str},
    "ENUM_NAME_OVERRIDES": {
        "RoleEnum": "tasks.models.Role",
        "ScopeEnum": "tasks.models.Scope",
        "InvitationKindEnum": "tasks.models.InvitationKind",
        "CampaignState": "tasks.models.CampaignState",
        "GeneratedKind": "tasks.models.GeneratedKind",
        "GeneratedState": "tasks.models.GeneratedState",
        "ListedItemState": "tasks.explorer.queries.rows.STATES",
        "JobKind": "tasks.models.JobKind",
        "JobState": "tasks.models.JobState",
        "MessageKind": "tasks.models.MessageKind",
        "TrainedMatcherKind": "tasks.models.TrainedMatcherKind",
    },
}

# text for people who look on, JSON for programs that collect
LOG_FORMAT = env.one_of(
    "TOMAHTO_LOG_FORMAT", ("text", "json"), default="json" if PRODUCTION else "text"
)
# who may read /metrics; empty: nobody, and nothing is counted
METRICS_TOKEN = env.text("TOMAHTO_METRICS_TOKEN")
# counts of this machine's web processes: on a local disk, or in memory
METRICS_DIR = env.folder("TOMAHTO_METRICS_DIR", DATA_DIR / "metrics")
if METRICS_TOKEN:
    MIDDLEWARE.insert(1, "annotation_site.metrics.RequestMetricsMiddleware")

# empty: errors are reported nowhere but in the log
if _sentry_dsn := env.text("TOMAHTO_SENTRY_DSN"):
    report_to_sentry(_sentry_dsn, VERSION)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name} {message}", "style": "{"},
        "json": {"()": "annotation_site.request_log.JsonFormatter"},
    },
    "filters": {"secrets": {"()": "annotation_site.request_log.HideSecrets"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["secrets"],
        }
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "tasks": {"level": "INFO"},
        # a line for every request: for programs to count, too many for people to read
        "annotation_site.request_log": {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"},
        # warns whenever a broker has no host, and the one in a folder has none
        "kombu.connection": {"level": "WARNING" if _broker else "ERROR"},
    },
}
