"""How people sign in."""

BACKEND = "django.contrib.auth.backends.ModelBackend"
