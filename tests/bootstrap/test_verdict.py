import subprocess
from pathlib import Path

import pytest

from bootstrap import checks
from bootstrap.checks import Extent


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With one commit, and a folder of our own that git ignores."""
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    monkeypatch.setattr(checks, "PRIVATE", tmp_path / ".tomahto")
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Test")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "test@example.org")
    (tmp_path / ".tomahto").mkdir()
    (tmp_path / ".gitignore").write_text(".tomahto/\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return tmp_path


def green(checkout: Path) -> Path:
    file = checks.verdict_file(Extent.USUAL)
    assert file == checkout / ".tomahto" / "green"
    return file


def test_a_run_that_passed_names_the_tree_of_the_commit(checkout: Path) -> None:
    tree = subprocess.check_output(["git", "rev-parse", "HEAD^{tree}"], cwd=checkout, text=True)
    before = checks.committed_tree()
    said = checks.keep_verdict(green(checkout), before=before, passed=True)
    assert green(checkout).read_text() == tree
    assert said == f".tomahto/green names the tree that passed, {tree[:12]}."


def test_a_run_that_failed_takes_the_verdict_back(checkout: Path) -> None:
    green(checkout).write_text("0123\n")
    before = checks.committed_tree()
    assert checks.keep_verdict(green(checkout), before=before, passed=False) == ""
    assert not green(checkout).exists()


@pytest.mark.parametrize("is_changed_before", [True, False])
def test_a_run_on_changed_files_says_nothing_of_any_tree(
    checkout: Path, is_changed_before: bool
) -> None:
    """Neither where they were changed before it, nor where they are changed while it runs."""
    before = None if is_changed_before else checks.committed_tree()
    (checkout / "new.py").touch()
    assert (checks.committed_tree(), before is None) == (None, is_changed_before)
    said = checks.keep_verdict(green(checkout), before=before, passed=True)
    assert said == "No verdict was recorded: the files are not those of a commit."
    assert not green(checkout).exists()


def test_a_commit_while_the_checks_run_gets_no_verdict(checkout: Path) -> None:
    before = checks.committed_tree()
    (checkout / "new.py").touch()
    for command in (["add", "."], ["commit", "-q", "-m", "Go on"]):
        subprocess.run(["git", *command], cwd=checkout, check=True)
    checks.keep_verdict(green(checkout), before=before, passed=True)
    assert not green(checkout).exists()


def test_files_without_a_history_have_no_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    assert checks.committed_tree() is None


@pytest.mark.parametrize(
    ("extent", "name"),
    [(Extent.FAST, None), (Extent.LONG, None), (Extent.USUAL, "green"), (Extent.ALL, "green-all")],
)
def test_verdicts_are_kept_of_whole_extents(
    checkout: Path, extent: Extent, name: str | None
) -> None:
    file = checks.verdict_file(extent)
    assert (file and file.name) == name
