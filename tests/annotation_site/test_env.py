"""Typed reading of the environment."""

from pathlib import Path

import pytest

from annotation_site import env

SMTP = "django.core.mail.backends.smtp.EmailBackend"
FILES = "django.core.mail.backends.filebased.EmailBackend"


def test_postgres_reads_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "postgresql://ann:p%40ss@db.example:5433/tomahto?sslmode=require&connect_timeout=3"
    monkeypatch.setenv("DB", address)
    assert env.postgres("DB") == {
        "ENGINE": "annotation_site.postgres",
        "NAME": "tomahto",
        "USER": "ann",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {
            "server_side_binding": True,
            "prepare_threshold": 5,
            "connect_timeout": "3",
            "keepalives_idle": 15,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": 30_000,
            "sslmode": "require",
        },
    }


def test_postgres_refuses_another_scheme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB", "mysql://db/x")
    with pytest.raises(env.SettingError, match="DB must be a postgresql:// address"):
        env.postgres("DB")


@pytest.mark.parametrize(
    ("value", "expected"), [("", True), ("1", True), ("yes", True), ("0", False), ("off", False)]
)
def test_flag_reads_the_usual_words(
    monkeypatch: pytest.MonkeyPatch, value: str, expected: bool
) -> None:
    monkeypatch.setenv("SWITCH", value)
    assert env.flag("SWITCH", default=True) is expected


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("", ""),
        (" https://x.org/ ", "https://x.org"),
        ("http://[::1]:8443/tomahto/", "http://[::1]:8443/tomahto"),
    ],
)
def test_site_url_reads_an_address(monkeypatch: pytest.MonkeyPatch, value: str, read: str) -> None:
    monkeypatch.setenv("SITE", value)
    assert env.site_url("SITE") == read


@pytest.mark.parametrize(
    "value",
    [
        *("x.org", "//x.org", "ftp://x.org", "https://", "javascript:alert(1)"),
        *("https://x.org?a=b", "https://x.org#f", "https://x.org/a b", "https://oak@x.org"),
    ],
)
def test_site_url_refuses_anything_else(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SITE", value)
    with pytest.raises(env.SettingError, match="SITE must be an address like https://"):
        env.site_url("SITE")


def test_flag_refuses_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWITCH", "perhaps")
    with pytest.raises(env.SettingError, match="SWITCH must be 1 or 0, not 'perhaps'"):
        env.flag("SWITCH")


def test_file_is_the_named_one_or_else_the_default_if_it_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    default = tmp_path / "default.toml"
    monkeypatch.delenv("PLACE", raising=False)
    assert env.file("PLACE", default) is None
    default.touch()
    assert env.file("PLACE", default) == default
    monkeypatch.setenv("PLACE", str(tmp_path / "missing.toml"))
    assert env.file("PLACE", default) == tmp_path / "missing.toml"


def test_number_reads_a_whole_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECONDS", "12")
    assert env.number("SECONDS", 30) == 12
    monkeypatch.setenv("SECONDS", "")
    assert env.number("SECONDS", 30) == 30


@pytest.mark.parametrize(
    ("value", "message"),
    [("soon", "SECONDS must be a whole number, not 'soon'"), ("0", "SECONDS must be at least 1")],
)
def test_number_refuses_anything_else(
    monkeypatch: pytest.MonkeyPatch, value: str, message: str
) -> None:
    monkeypatch.setenv("SECONDS", value)
    with pytest.raises(env.SettingError, match=message):
        env.number("SECONDS", 30, least=1)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (
            "smtps://ann:p%40ss@mail.example",
            env.Mail(SMTP, "mail.example", 465, "ann", "p@ss", is_tls=True),
        ),
        ("smtp://mail.example:2525", env.Mail(SMTP, "mail.example", 2525, starts_tls=True)),
        ("smtp+plain://localhost", env.Mail(SMTP, "localhost", 25)),
        ("file:///tmp/sent", env.Mail(FILES, folder="/tmp/sent")),  # noqa: S108 - never opened
        ("", None),
    ],
)
def test_mail_reads_an_address(
    monkeypatch: pytest.MonkeyPatch, address: str, expected: env.Mail | None
) -> None:
    monkeypatch.setenv("MAIL", address)
    assert env.mail("MAIL") == expected


@pytest.mark.parametrize("address", ["mail.example", "https://mail.example", "smtp://", "file://x"])
def test_mail_refuses_anything_else(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("MAIL", address)
    with pytest.raises(env.SettingError, match="MAIL must be an address such as smtps://"):
        env.mail("MAIL")


@pytest.mark.parametrize(
    ("address", "read"),
    [
        ("", ""),
        ("s3://tomahto-releases", "s3://tomahto-releases"),
        ("s3://tomahto.example/a/b_c/", "s3://tomahto.example/a/b_c"),
    ],
)
def test_s3_url_reads_an_address(monkeypatch: pytest.MonkeyPatch, address: str, read: str) -> None:
    monkeypatch.setenv("STORE", address)
    assert env.s3_url("STORE") == read


@pytest.mark.parametrize(
    "address",
    [
        *("bucket/a", "/srv", "https://bucket/a", "s3://", "s3://B", "s3://ab", "s3://bucket//a"),
        *("s3://bucket/../a", "s3://bucket/./a", "s3://bucket/a b", "s3://key:secret@bucket/a"),
    ],
)
def test_s3_url_refuses_anything_else(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("STORE", address)
    with pytest.raises(env.SettingError, match=r"^STORE must be an address such as s3://bucket/"):
        env.s3_url("STORE")
