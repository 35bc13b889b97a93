from collections.abc import Sequence
from pathlib import Path

import pytest

from bootstrap import environment
from bootstrap.environment import Environment, InstallError, pinned_versions, provide

LOCK = """\
# made by hand
alpha==1.0 ; sys_platform == 'linux' \\
    --hash=sha256:00
beta-two==2.1 \\
    --hash=sha256:01 \\
    --hash=sha256:02
"""


class Installer:
    """Stands in for uv or pip: makes a Python, notes its steps, fails when told to."""

    def __init__(self) -> None:
        self.steps: list[list[Sequence[str]]] = []
        self.failure: BaseException | None = None

    def __call__(self, folder: Path, steps: Sequence[Sequence[str]]) -> None:
        self.steps.append(list(steps))
        (folder / "bin").mkdir(parents=True, exist_ok=True)
        (folder / "bin" / "python").touch()
        if self.failure:
            raise self.failure


@pytest.fixture
def uv(monkeypatch: pytest.MonkeyPatch) -> Installer:
    installer = Installer()
    monkeypatch.setattr(environment, "with_uv", installer)
    return installer


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch) -> Installer:
    installer = Installer()
    monkeypatch.setattr(environment, "with_pip", installer)
    return installer


@pytest.fixture
def wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    monkeypatch.setattr(environment, "PRIVATE", tmp_path)
    lock = tmp_path / "some.lock"
    lock.write_text(LOCK)
    return Environment(tmp_path / "venv", lock)


def test_environment_is_made_once(wanted: Environment, uv: Installer, pip: Installer) -> None:
    assert [provide(wanted), provide(wanted)] == [wanted.folder / "bin" / "python"] * 2
    assert uv.steps == [[("--require-hashes", "--requirement", str(wanted.lock))]]
    assert pip.steps == []


def test_environment_is_made_again_when_the_lock_changes(
    wanted: Environment, uv: Installer
) -> None:
    provide(wanted)
    wanted.lock.write_text(LOCK.replace("2.1", "2.2"))
    provide(wanted)
    assert len(uv.steps) == 2


def test_environment_is_made_again_when_its_python_is_gone(
    wanted: Environment, uv: Installer
) -> None:
    provide(wanted).unlink()
    provide(wanted)
    assert len(uv.steps) == 2


def test_interrupted_installation_is_repeated(wanted: Environment, uv: Installer) -> None:
    uv.failure = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        provide(wanted)
    uv.failure = None
    provide(wanted)
    assert len(uv.steps) == 2
    assert wanted.is_current()


def test_interrupted_renewal_leaves_no_valid_stamp(wanted: Environment, uv: Installer) -> None:
    provide(wanted)
    old = wanted.lock.read_text()
    wanted.lock.write_text(old + "# changed\n")
    uv.failure = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        provide(wanted)
    wanted.lock.write_text(old)
    assert not wanted.is_current()


def test_pip_takes_over_where_uv_fails(wanted: Environment, uv: Installer, pip: Installer) -> None:
    uv.failure = InstallError("no uv")
    provide(wanted)
    assert pip.steps == uv.steps
    assert wanted.is_current()


def test_environment_stays_unfinished_when_both_fail(
    wanted: Environment, uv: Installer, pip: Installer
) -> None:
    uv.failure = InstallError("no uv")
    pip.failure = InstallError("no pip")
    with pytest.raises(InstallError, match="no pip"):
        provide(wanted)
    assert not wanted.is_current()


def test_additions_are_installed_under_the_locked_versions(
    wanted: Environment, uv: Installer
) -> None:
    extended = Environment(wanted.folder, wanted.lock, ("torch==2.13.0",))
    provide(extended)
    constraints = wanted.folder.parent / "venv.constraints"
    locked = ("--require-hashes", "--requirement", str(wanted.lock))
    assert uv.steps == [[locked, ("torch==2.13.0", "--constraint", str(constraints))]]
    assert constraints.read_text() == "alpha==1.0 ; sys_platform == 'linux'\nbeta-two==2.1\n"


def test_pinned_versions_leave_hashes_and_comments_out() -> None:
    assert pinned_versions(LOCK) == "alpha==1.0 ; sys_platform == 'linux'\nbeta-two==2.1\n"


def test_client_of_object_stores_is_installed_where_releases_go_to_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOMAHTO_RELEASES_URL", "s3://bucket")
    stored = [environment.serving_environment(with_models=models) for models in (False, True)]
    monkeypatch.delenv("TOMAHTO_RELEASES_URL")
    plain = [environment.serving_environment(with_models=models) for models in (False, True)]
    assert [each.lock.name for each in (*stored, *plain)] == ["s3.lock"] * 2 + ["core.lock"] * 2
    assert [each.additions for each in stored] == [each.additions for each in plain]
    assert len({each.folder for each in (*stored, *plain)}) == 4


def test_environments_add_the_extras_that_need_torch_where_they_are_wanted() -> None:
    models = environment.serving_environment(with_models=True)
    plain = environment.serving_environment()
    needed = ("huggingface-hub>=2.4,<3", "sacrebleu>=2.5", "torch==2.13.0", "transformers>=5,<6")
    assert environment.testing_environment().additions == (*needed, "bert-score==0.3.13")
    baselines = ("nltk>=3.9", "rouge-score>=0.1.2", "sacrebleu>=2.5")
    assert plain.additions == ()
    assert models.additions == (*needed, *baselines, "bert-score==0.3.13")
    assert models.lock == plain.lock
    assert models.folder != plain.folder
