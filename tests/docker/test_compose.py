"""The compose file says what the site understands: no Docker needed to see that."""

import re
import tomllib

import pytest

from tests.docker.compose import (
    FOLDER,
    VariableMissing,
    example_variables,
    interpolated,
    read_compose,
    services,
    variables_in,
)
from tests.site import ROOT

SITE = ("web", "worker", "beat", "migrate")
SECRETS = ("TOMAHTO_SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD")
_READ_BY_SETTINGS = re.compile(r'env\.\w+\(\s*"(\w+)"')


def waits_for(service: str) -> dict[str, str]:
    found = services()[service].get("depends_on", {})
    return {name: how["condition"] for name, how in found.items()}


def test_compose_runs_web_workers_scheduler_database_and_broker() -> None:
    assert set(services()) == {*SITE, "postgres", "redis"}


@pytest.mark.parametrize("service", ["web", "worker", "beat"])
def test_site_waits_for_the_migration_and_the_broker(service: str) -> None:
    assert waits_for(service) == {
        "migrate": "service_completed_successfully",
        "redis": "service_healthy",
    }


def test_migration_waits_for_the_database_and_ends() -> None:
    assert waits_for("migrate") == {"postgres": "service_healthy"}
    assert services()["migrate"]["restart"] == "no"


@pytest.mark.parametrize("service", SITE)
def test_settings_know_every_variable_of_the_site(service: str) -> None:
    known = set(_READ_BY_SETTINGS.findall((ROOT / "annotation_site/settings.py").read_text()))
    named = set(services()[service]["environment"])
    assert named - known == set()
    assert {"TOMAHTO_PRODUCTION", "DATABASE_URL", "TOMAHTO_BROKER_URL"} <= named


def test_secrets_come_from_the_environment_and_are_demanded() -> None:
    wanted = variables_in(services())
    assert {name: wanted[name] for name in SECRETS} == dict.fromkeys(SECRETS, True)
    for service in services().values():
        for name, value in service.get("environment", {}).items():
            if re.search("KEY|PASSWORD|AUTH|URL", name):
                assert variables_in(value), f"{name} has its value in the file"


def test_example_names_every_variable_and_gives_no_secret() -> None:
    example = example_variables()
    assert set(example) == set(variables_in(services()))
    assert {name: example[name] for name in SECRETS} == dict.fromkeys(SECRETS, "")


def test_a_forgotten_secret_is_refused() -> None:
    value = services()["web"]["environment"]["TOMAHTO_SECRET_KEY"]
    with pytest.raises(VariableMissing, match="TOMAHTO_SECRET_KEY"):
        interpolated(value, example_variables())


@pytest.mark.parametrize("service", SITE)
def test_site_runs_without_rights_on_a_filesystem_that_cannot_change(service: str) -> None:
    found = services()[service]
    assert found["read_only"]
    assert found["cap_drop"] == ["ALL"]
    assert "user" not in found  # the image's, which is not root
    assert re.search(r"^USER (?!root)\w+$", (FOLDER / "Dockerfile").read_text(), re.MULTILINE)


def test_only_the_web_server_is_published_and_only_to_this_machine() -> None:
    published = {
        name: service["ports"] for name, service in services().items() if "ports" in service
    }
    assert list(published) == ["web"]
    assert interpolated(published["web"][0], {}) == "127.0.0.1:8000:8000"
    assert read_compose()["networks"]["inside"] == {"internal": True}


def test_web_and_workers_share_their_files_and_every_volume_has_a_name() -> None:
    mounts = {name: service.get("volumes", []) for name, service in services().items()}
    shared = ["releases:/data/releases", "matchers:/data/matchers"]
    assert mounts["web"] == mounts["worker"] == shared
    used = {mount.split(":")[0] for found in mounts.values() for mount in found}
    assert used == set(read_compose()["volumes"])


def test_web_answers_the_health_check_whatever_the_hosts() -> None:
    value = services()["web"]["environment"]["TOMAHTO_ALLOWED_HOSTS"]
    hosts = interpolated(value, {"TOMAHTO_ALLOWED_HOSTS": "tomahto.example.org"})
    assert hosts == "tomahto.example.org,127.0.0.1"
    assert "http://127.0.0.1:8000/readyz" in (FOLDER / "Dockerfile").read_text()


def test_image_has_the_oldest_python_that_the_project_supports() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    oldest = project["requires-python"].removeprefix(">=")
    images = re.findall(r"^FROM (\S+)", (FOLDER / "Dockerfile").read_text(), re.MULTILINE)
    assert set(images) == {f"python:{oldest}-slim-bookworm"}


def test_image_leaves_out_whatever_is_not_listed() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    listed = [rule.removeprefix("!") for rule in rules if rule.startswith("!")]
    assert rules[0] == "*"
    assert [path for path in listed if not (ROOT / path).exists()] == []
    assert {"annotation_site/", "tasks/", "templates/", "manage.py"} <= set(listed)
