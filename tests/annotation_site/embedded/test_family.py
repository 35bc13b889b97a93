"""What keeps the site from being served, as ./run then says it."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from annotation_site.embedded import family
from annotation_site.env import SettingError
from bootstrap import BootstrapError, processes
from bootstrap.forks import Fork
from bootstrap.serving import Site, make_data_folder
from bootstrap.supervision import StopRequest


@pytest.fixture
def site(tmp_path: Path) -> Site:
    made = Site(tmp_path / "data", port=processes.free_port())
    make_data_folder(made)
    return made


class NoRequest(StopRequest):
    """Nobody asks, and no handler of a signal is set."""

    def __init__(self) -> None:
        pass

    def check(self) -> None:
        pass


def ended(status: int) -> Fork:
    fork = Fork(0)
    fork.status = status
    return fork


@pytest.mark.parametrize("error", [SettingError("X must be 1"), ImproperlyConfigured("X is not")])
def test_settings_that_cannot_be_used_are_one_line(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr("django.setup", fail)
    with pytest.raises(BootstrapError) as failure:
        family.set_up_django()
    assert str(failure.value) == f"{type(error).__name__}: {error}"


def test_failure_to_prepare_shows_what_it_wrote(site: Site) -> None:
    site.log("prepare").write_text("cannot migrate\n")
    with pytest.raises(BootstrapError) as failure:
        family.await_prepared(site, ended(1), NoRequest())
    assert str(failure.value) == "manage.py prepare failed:\ncannot migrate"


def test_what_is_prepared_is_gone_on_with(site: Site) -> None:
    family.await_prepared(site, ended(0), NoRequest())


def test_web_server_that_never_answers_is_given_up_with_its_log(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(family, "READY_SECONDS", 0)
    site.log("web").write_text("no such module\n")
    with pytest.raises(BootstrapError) as failure:
        family.await_answer(site, [], NoRequest())
    log = site.log("web")
    said = f"no answer from the web server after 0 s; {log} says:\nno such module"
    assert str(failure.value) == said


def test_logs_of_the_last_run_are_kept_until_a_child_is_started_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is started again writes on, below what it said before it ended."""
    started: list[str] = []

    def start(_action: object, *, name: str, log: Path) -> Fork:
        with log.open("a") as file:
            file.write(f"life {len(started)}\n")
        started.append(name)
        return ended(0)

    monkeypatch.setattr("bootstrap.forks.start", start)
    site.log("web").write_text("the last run\n")
    family.keep(site, "web", lambda: None)
    family.fork(site, "web", lambda: None)
    assert started == ["web", "web"]
    assert site.log("web").read_text() == "life 0\nlife 1\n"
    assert (site.logs / "web.log.previous").read_text() == "the last run\n"
