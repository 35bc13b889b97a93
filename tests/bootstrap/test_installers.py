from pathlib import Path

import pytest

from bootstrap import environment
from bootstrap.environment import InstallError


def test_pip_settings_prefer_variables_to_install_to_global() -> None:
    listing = """\
:env:.find-links='/wheels'
global.find-links='/elsewhere'
global.timeout='60'
install.timeout='90'
global.extra-index-url='\\nhttps://one.example/simple\\nhttps://two.example/simple'
download.timeout='5'
"""
    assert environment.parse_pip_settings(listing) == {
        "find-links": "/wheels",
        "timeout": "90",
        "extra-index-url": "\nhttps://one.example/simple\nhttps://two.example/simple",
    }


def test_uv_settings_say_the_same_as_pip_settings() -> None:
    pip = {
        "index-url": "https://main.example/simple",
        "extra-index-url": "\nhttps://one.example/simple\nhttps://two.example/simple",
        "find-links": "/wheels /more",
        "trusted-host": "main.example",
        "default-timeout": "180",
        "cert": "/etc/ca.crt",
        "proxy": "http://proxy.example:3128",
        "disable-pip-version-check": "1",
    }
    assert environment.uv_settings(pip) == {
        "UV_DEFAULT_INDEX": "https://main.example/simple",
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_FIND_LINKS": "/wheels,/more",
        "UV_INSECURE_HOST": "main.example",
        "UV_HTTP_TIMEOUT": "180",
        "SSL_CERT_FILE": "/etc/ca.crt",
        "HTTPS_PROXY": "http://proxy.example:3128",
        "HTTP_PROXY": "http://proxy.example:3128",
    }


def test_uv_settings_of_an_unconfigured_pip_are_empty() -> None:
    assert environment.uv_settings({}) == {}


def test_own_uv_variables_win_over_pip_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "pip_settings", lambda: {"index-url": "https://pip.example"})
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://own.example")
    assert environment.uv_environment()["UV_DEFAULT_INDEX"] == "https://own.example"


def test_private_environment_lets_no_other_packages_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setenv("KEPT", "yes")
    found = environment.own_variables()
    assert ("PYTHONPATH" in found, found["KEPT"]) == (False, "yes")


def test_failing_installer_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(InstallError, match="false ended with status 1"):
        environment.with_pip(tmp_path / "venv", [("anything",)])
