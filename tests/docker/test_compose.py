"""The compose file says what the site understands: no Docker needed to see that."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from annotation_site.serving import limits
from tasks.intake.forms import MAX_UPLOAD
from tests.docker.compose import (
    FOLDER,
    VariableMissing,
    example_variables,
    interpolated,
    read_compose,
    services,
    variables_in,
)
from tests.site import ROOT, WORKER_CLASS
from tomahto.matching.table import model_variables

SITE = ("web", "worker", "beat", "migrate")
SECRETS = ("TOMAHTO_SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD")
_READ_BY_SETTINGS = re.compile(r'env\.\w+\(\s*"(\w+)"')


def waits_for(service: str) -> dict[str, str]:
    found = services()[service].get("depends_on", {})
    return {name: how["condition"] for name, how in found.items()}


def test_compose_runs_web_workers_scheduler_database_and_broker() -> None:
    assert set(services()) == {*SITE, "proxy", "postgres", "redis"}


@pytest.mark.parametrize("service", ["web", "worker", "beat"])
def test_site_waits_for_the_migration_and_the_broker(service: str) -> None:
    assert waits_for(service) == {
        "migrate": "service_completed_successfully",
        "redis": "service_healthy",
    }


def test_database_keeps_to_its_own_settings_which_lose_no_commit() -> None:
    assert "command" not in services()["postgres"]


def test_migration_waits_for_the_database_and_ends() -> None:
    assert waits_for("migrate") == {"postgres": "service_healthy"}
    assert services()["migrate"]["restart"] == "no"


@pytest.mark.parametrize("service", SITE)
def test_settings_know_every_variable_of_the_site(service: str) -> None:
    known = set(_READ_BY_SETTINGS.findall((ROOT / "annotation_site/settings.py").read_text()))
    known |= {variable.name for variable in model_variables()}
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


def test_only_the_proxy_is_published_and_the_web_server_to_this_machine() -> None:
    published = {
        name: service["ports"] for name, service in services().items() if "ports" in service
    }
    assert list(published) == ["proxy", "web"]
    assert published["proxy"] == ["80:80", "443:443", "443:443/udp"]
    assert interpolated(published["web"][0], {}) == "127.0.0.1:8000:8000"
    assert read_compose()["networks"]["inside"] == {"internal": True}


def test_web_and_workers_share_their_files_and_every_volume_has_a_name() -> None:
    mounts = {name: service.get("volumes", []) for name, service in services().items()}
    shared = ["releases:/data/releases", "matchers:/data/matchers"]
    assert mounts["web"] == shared
    assert mounts["worker"] == [*shared, "backups:/data/backups"]  # takes them
    used = {mount.split(":")[0] for found in mounts.values() for mount in found}
    volumes = {name for name in used if not name.startswith("./")}
    assert volumes == set(read_compose()["volumes"])
    assert used - volumes == {"./Caddyfile", "./certificates"}


def test_web_answers_the_health_check_whatever_the_hosts() -> None:
    value = services()["web"]["environment"]["TOMAHTO_ALLOWED_HOSTS"]
    hosts = interpolated(value, {"TOMAHTO_ALLOWED_HOSTS": "tomahto.example.org"})
    assert hosts == "tomahto.example.org,127.0.0.1"
    assert "http://127.0.0.1:8000/readyz" in (FOLDER / "Dockerfile").read_text()


def test_image_has_the_oldest_python_that_the_project_supports() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    oldest = project["requires-python"].removeprefix(">=")
    dockerfile = (FOLDER / "Dockerfile").read_text()
    assert re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE) == ["${PYTHON_IMAGE}"] * 2
    image = f"python:{oldest}-slim-bookworm"
    assert re.findall(r"^ARG PYTHON_IMAGE=(\S+)", dockerfile, re.MULTILINE) == [image]
    argument = services()["web"]["build"]["args"]["PYTHON_IMAGE"]
    assert interpolated(argument, example_variables()) == image


def test_image_leaves_out_whatever_is_not_listed() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    listed = [rule.removeprefix("!") for rule in rules if rule.startswith("!")]
    assert rules[0] == "*"
    assert [path for path in listed if not any(ROOT.glob(path))] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = {f"{name}/" for name in project["tool"]["importlinter"]["root_packages"]}
    assert {*packages, "templates/", "manage.py"} <= set(listed)


def test_what_has_to_reach_the_outside_can_and_nothing_else() -> None:
    """Workers send mail and webhooks, and ask model endpoints; the outgoing client judges where."""
    outside = {name for name, each in services().items() if "outside" in each["networks"]}
    assert outside == {"proxy", "web", "worker"}


@pytest.mark.parametrize("service", ["proxy", "postgres", "redis"])
def test_images_of_others_can_be_given_by_digest(service: str) -> None:
    image = services()[service]["image"]
    [variable] = variables_in(image)
    pinned = f"registry.example.org/{service}@sha256:{'0' * 64}"
    assert interpolated(image, {variable: pinned}) == pinned
    assert re.fullmatch(r"(caddy|postgres|redis):[\w.-]+", interpolated(image, {}))


def test_pinning_writes_the_digest_of_every_image_and_keeps_the_rest(tmp_path: Path) -> None:
    digest = f"sha256:{'a' * 64}"
    docker = tmp_path / "docker"
    docker.write_text(f"#!/bin/sh\necho {digest}\n")
    docker.chmod(0o755)
    env = tmp_path / ".env"
    before = (FOLDER / ".env.example").read_text()
    env.write_text(before)
    for _twice in range(2):
        search = f"{tmp_path}:{os.environ['PATH']}"
        run = [FOLDER / "pin_images.sh", env]
        subprocess.run(run, env={**os.environ, "PATH": search}, check=True)
    lines = env.read_text().splitlines()
    pinned = dict(line.split("=", 1) for line in lines if re.match("TOMAHTO_[A-Z]+_IMAGE=", line))
    others = [line for line in lines if line.partition("=")[0] not in pinned]
    names = {name: "" for name, value in example_variables().items() if name in pinned}
    assert others == [line for line in before.splitlines() if line.partition("=")[0] not in names]
    assert pinned == {
        variable: f"{image}@{digest}"
        for service in services().values()
        for text in (service["image"], service.get("build", {}).get("args", {}).get("PYTHON_IMAGE"))
        for variable in variables_in(text)
        for image in [interpolated(text, {})]
    }


def test_pinning_that_gets_no_digest_changes_nothing(tmp_path: Path) -> None:
    docker = tmp_path / "docker"
    docker.write_text("#!/bin/sh\necho cannot reach the registry\n")
    docker.chmod(0o755)
    env = tmp_path / ".env"
    env.write_text("POSTGRES_PASSWORD=x\n")
    search = f"{tmp_path}:{os.environ['PATH']}"
    run = [FOLDER / "pin_images.sh", env]
    done = subprocess.run(
        run, env={**os.environ, "PATH": search}, check=False, capture_output=True, text=True
    )
    assert (done.returncode, env.read_text()) == (1, "POSTGRES_PASSWORD=x\n")
    assert "cannot reach the registry" in done.stderr


def test_proxy_knows_its_variables_and_takes_the_largest_upload() -> None:
    caddyfile = (FOLDER / "Caddyfile").read_text()
    assert set(re.findall(r"\{\$(\w+)\}", caddyfile)) == set(services()["proxy"]["environment"])
    [megabytes] = re.findall(r"max_size (\d+)MB", caddyfile)
    assert MAX_UPLOAD + (1 << 20) <= int(megabytes) * 1_000_000 <= MAX_UPLOAD * 1.25
    assert int(megabytes) * 1_000_000 == limits.BODY_BYTES


def test_image_and_services_serve_by_the_class_that_has_limits() -> None:
    assert f"--worker-class={WORKER_CLASS}" in services()["web"]["command"]
    assert f'"--worker-class", "{WORKER_CLASS}"' in (FOLDER / "Dockerfile").read_text()


def test_proxy_replaces_what_clients_say_of_themselves() -> None:
    caddyfile = (FOLDER / "Caddyfile").read_text()
    replaced = dict(re.findall(r"header_up (\S+) (\S+)", caddyfile))
    assert replaced == {
        "X-Forwarded-For": "{remote_host}",
        "X-Forwarded-Proto": "https",
        "X-Request-ID": "{http.request.uuid}",
    }
    # HSTS as the site says it
    [hsts] = re.findall(r'header \?Strict-Transport-Security "([^"]+)"', caddyfile)
    settings = (ROOT / "annotation_site/settings.py").read_text()
    [seconds] = re.findall(r"SECURE_HSTS_SECONDS = ([\d_]+)", settings)
    assert hsts == f"max-age={int(seconds)}; includeSubDomains; preload"
