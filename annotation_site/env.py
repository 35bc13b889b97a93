"""Typed reading of environment variables. Settings are the only caller."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit


class SettingError(RuntimeError):
    """A variable has a value that cannot be used; the message names it."""


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default)


def flag(name: str, *, default: bool = False) -> bool:
    value = os.environ.get(name, "").strip().lower()
    if value in {"", "0", "false", "no", "off"}:
        return default if value == "" else False
    if value in {"1", "true", "yes", "on"}:
        return True
    raise SettingError(f"{name} must be 1 or 0, not {value!r}")


def number(name: str, default: int, *, least: int = 0) -> int:
    value = os.environ.get(name, "")
    try:
        found = int(value) if value else default
    except ValueError:
        raise SettingError(f"{name} must be a whole number, not {value!r}") from None
    if found < least:
        raise SettingError(f"{name} must be at least {least}, not {found}")
    return found


def one_of(name: str, choices: Sequence[str], *, default: str) -> str:
    value = os.environ.get(name) or default
    if value not in choices:
        raise SettingError(f"{name} must be {' or '.join(choices)}, not {value!r}")
    return value


def site_url(name: str) -> str:
    """The address of the site that paths are put behind; empty if it is not set."""
    value = os.environ.get(name, "").strip().rstrip("/")
    parts = urlsplit(value)
    is_address = parts.scheme in ("http", "https") and parts.hostname and not parts.username
    if value and (not is_address or parts.query or parts.fragment or re.search(r"\s", value)):
        raise SettingError(f"{name} must be an address like https://tomahto.example.org")
    return value


def names(name: str) -> list[str]:
    """A comma-separated list."""
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]


def api_keys() -> dict[str, str]:
    """Every variable whose name ends in `_API_KEY`, which is where keys of endpoints are."""
    return {name: value for name, value in os.environ.items() if name.endswith("_API_KEY")}


def folder(name: str, default: Path) -> Path:
    return Path(os.environ.get(name) or default).expanduser().resolve()


def file(name: str, default: Path) -> Path | None:
    """The file that the variable names, whether it is there or not; the default if it is there."""
    if place := os.environ.get(name):
        return Path(place).expanduser().resolve()
    return default if default.is_file() else None


_S3_URL = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[\w.-]*\w[\w.-]*)*/?", re.ASCII)


def s3_url(name: str) -> str:
    """`s3://bucket/prefix`, or `s3://bucket`; empty when the variable is."""
    address = os.environ.get(name, "")
    if address and not _S3_URL.fullmatch(address):
        raise SettingError(f"{name} must be an address such as s3://bucket/prefix")
    return address.rstrip("/")


# A server that is gone without a word, machine or network, is noticed within half a minute.
_NOTICE_THE_DEAD = {
    "connect_timeout": 10,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}


def postgres(name: str) -> dict[str, Any] | None:
    """Django's database settings from a `postgresql://user:password@host:port/name?option=value`
    address, or None when the variable is empty."""
    address = os.environ.get(name, "")
    if not address:
        return None
    parts = urlsplit(address)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise SettingError(f"{name} must be a postgresql:// address, not {parts.scheme}://")
    return {
        "ENGINE": "annotation_site.postgres",
        "NAME": unquote(parts.path.lstrip("/")) or "postgres",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        # values travel apart from the statement, so that a statement in use is planned only once
        "OPTIONS": {
            "server_side_binding": True,
            "prepare_threshold": 5,
            **_NOTICE_THE_DEAD,
            **dict(parse_qsl(parts.query)),
        },
    }


@dataclass(frozen=True, slots=True)
class Mail:
    """The way of mail: over a server, encrypted from the start (`is_tls`), after STARTTLS
    (`starts_tls`) or not at all, or as files in a folder."""

    backend: str
    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    is_tls: bool = False
    starts_tls: bool = False
    folder: str = ""


_MAIL_PORTS = {"smtps": 465, "smtp": 587, "smtp+plain": 25}


def mail(name: str) -> Mail | None:
    """From `smtps://user:password@host:465`, `smtp://…:587` (STARTTLS), `smtp+plain://…:25` (not
    encrypted) or `file:///folder`; None when the variable is empty."""
    address = os.environ.get(name, "")
    if not address:
        return None
    parts = urlsplit(address)
    if parts.scheme == "file" and parts.path:
        return Mail("django.core.mail.backends.filebased.EmailBackend", folder=unquote(parts.path))
    if parts.scheme not in _MAIL_PORTS or not parts.hostname:
        raise SettingError(
            f"{name} must be an address such as smtps://user:password@host:465 or file:///folder"
        )
    return Mail(
        "django.core.mail.backends.smtp.EmailBackend",
        host=parts.hostname,
        port=parts.port or _MAIL_PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        is_tls=parts.scheme == "smtps",
        starts_tls=parts.scheme == "smtp",
    )
