from collections.abc import Callable
from pathlib import Path

import pytest

from bootstrap import BootstrapError, checks, commands, environment, serving
from bootstrap.checks import Extent, Selection
from bootstrap.commands import Split
from bootstrap.environment import Environment
from bootstrap.serving import Site
from bootstrap.system import ROOT


@pytest.mark.parametrize(
    ("arguments", "split"),
    [
        ([], Split([], None, [])),
        (["--port", "9000"], Split(["--port", "9000"], None, [])),
        (["manage", "--help"], Split([], "manage", ["--help"])),
        (
            ["--data", "manage", "manage", "agreement", "nq", "--json"],
            Split(["--data", "manage"], "manage", ["agreement", "nq", "--json"]),
        ),
        (["--data=d", "lock", "--upgrade"], Split(["--data=d"], "lock", ["--upgrade"])),
        (["--models", "manage", "--models"], Split(["--models"], "manage", ["--models"])),
    ],
)
def test_what_follows_the_command_is_its_own(arguments: list[str], split: Split) -> None:
    assert commands.split_command(arguments) == split


def test_run_serves_the_named_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[Site] = []

    def serve(site: Site) -> int:
        served.append(site)
        return 0

    monkeypatch.setattr(serving, "serve", serve)
    options = ["--port", "9000", "--host", "::1", "--data", str(tmp_path)]
    assert commands.run(options) == 0
    assert commands.run([*options, "--models"]) == 0
    assert served == [Site(tmp_path, "::1", 9000), Site(tmp_path, "::1", 9000, with_models=True)]


def test_data_folder_is_named_by_option_then_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOMAHTO_DATA", raising=False)
    assert commands.data_folder(None) == ROOT / "data"
    monkeypatch.setenv("TOMAHTO_DATA", str(tmp_path / "environment"))
    assert commands.data_folder(None) == tmp_path / "environment"
    assert commands.data_folder(tmp_path / "option") == tmp_path / "option"


def test_manage_becomes_the_management_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    called: list[tuple[str, list[str], str]] = []
    monkeypatch.setattr(environment, "provide", lambda wanted: Path("/env/bin/python"))
    monkeypatch.setattr(
        "os.execve",
        lambda program, command, variables: called.append(
            (program, command, variables["TOMAHTO_DATA"])
        ),
    )
    commands.run(["--data", str(tmp_path), "manage", "agreement", "nq", "--json"])
    command = ["/env/bin/python", str(ROOT / "manage.py"), "agreement", "nq", "--json"]
    assert called == [("/env/bin/python", command, str(tmp_path))]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("options", [[], ["--models"]])
def test_commands_run_where_models_can_if_that_is_wanted(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provided: list[Environment] = []

    def provide(wanted: Environment) -> Path:
        provided.append(wanted)
        return Path("/env/bin/python")

    monkeypatch.setattr(environment, "provide", provide)
    monkeypatch.setattr("os.execve", lambda *_: None)
    commands.run(["--data", str(tmp_path), *options, "manage", "check"])
    assert provided == [environment.serving_environment(with_models=bool(options))]


def test_translations_run_where_the_test_tools_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provided: list[Environment] = []
    called: list[list[str]] = []

    def provide(wanted: Environment) -> Path:
        provided.append(wanted)
        return Path("/env/bin/python")

    monkeypatch.setattr(environment, "provide", provide)
    monkeypatch.setattr("os.execve", lambda _program, command, _variables: called.append(command))
    commands.run(["--data", str(tmp_path), "translations", "--check"])
    assert provided == [environment.testing_environment()]
    assert called == [["/env/bin/python", str(ROOT / "manage.py"), "translations", "--check"]]


@pytest.mark.parametrize(
    ("arguments", "tools", "command"),
    [
        (
            ["python", "examples/main_job.py", "--raters", "2"],
            environment.serving_environment(),
            ["examples/main_job.py", "--raters", "2"],
        ),
        (["python"], environment.serving_environment(), []),
        (
            ["benchmark", "load", "--items", "10"],
            environment.testing_environment(),
            ["-m", "benchmarks.load", "--items", "10"],
        ),
    ],
)
def test_programs_find_the_checkout_and_the_data(
    arguments: list[str],
    tools: Environment,
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    provided: list[Environment] = []
    called: list[tuple[list[str], str, str]] = []

    def provide(wanted: Environment) -> Path:
        provided.append(wanted)
        return Path("/env/bin/python")

    def execve(_program: str, line: list[str], variables: dict[str, str]) -> None:
        called.append((line, variables["PYTHONPATH"], variables["TOMAHTO_DATA"]))

    monkeypatch.setattr(environment, "provide", provide)
    monkeypatch.setattr("os.execve", execve)
    commands.run(["--data", str(tmp_path), *arguments])
    assert provided == [tools]
    assert called == [(["/env/bin/python", *command], str(ROOT), str(tmp_path))]


@pytest.mark.parametrize(
    ("arguments", "listed"),
    [
        (["manage"], commands.manage_help),
        (["manage", "-h"], commands.manage_help),
        (["manage", "--help"], commands.manage_help),
        (["benchmark"], commands.benchmark_help),
        (["benchmark", "--help"], commands.benchmark_help),
        (["python", "--help"], commands.python_help),
    ],
)
def test_what_there_is_is_listed_and_nothing_installed_or_made(
    arguments: list[str],
    listed: Callable[[], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(environment, "provide", pytest.fail)
    assert commands.run(["--data", str(tmp_path / "data"), *arguments]) == 0
    assert capsys.readouterr() == (f"{listed()}\n", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "started"),
    [
        (["manage", "agreement", "--help"], [str(ROOT / "manage.py"), "agreement", "--help"]),
        (["manage", "help", "agreement"], [str(ROOT / "manage.py"), "help", "agreement"]),
        (["python", "-h"], ["-h"]),
        (["python", "examples/main_job.py", "--help"], ["examples/main_job.py", "--help"]),
        (["benchmark", "load", "-h"], ["-m", "benchmarks.load", "-h"]),
        (["translations", "-h"], [str(ROOT / "manage.py"), "translations", "-h"]),
    ],
)
def test_help_of_a_program_leaves_no_data_folder(
    arguments: list[str], started: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[list[str]] = []
    folders: list[Path] = []

    def call(line: list[str], env: dict[str, str]) -> int:
        called.append(line)
        folders.append(Path(env["TOMAHTO_DATA"]))
        assert folders[0].is_dir()
        return 3

    monkeypatch.setattr(environment, "provide", lambda wanted: Path("/env/bin/python"))
    monkeypatch.setattr("subprocess.call", call)
    assert commands.run(["--data", str(tmp_path / "data"), *arguments]) == 3
    assert called == [["/env/bin/python", *started]]
    assert (list(tmp_path.iterdir()), folders[0].exists()) == ([], False)


@pytest.mark.parametrize(
    "arguments", [["python", "server.py", "-h", "::1"], ["manage", "dbshell", "--", "--help"]]
)
def test_what_is_not_ours_is_no_request_for_help(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[str] = []
    monkeypatch.setattr(environment, "provide", lambda wanted: Path("/env/bin/python"))
    monkeypatch.setattr("os.execve", lambda _, line, variables: called.append(line[-1]))
    commands.run(["--data", str(tmp_path), *arguments])
    assert called == [arguments[-1]]


@pytest.mark.parametrize(("arguments", "options"), [([], ()), (["--upgrade"], ("--upgrade",))])
def test_lock_passes_the_upgrade_on(
    arguments: list[str], options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[tuple[str, ...]] = []
    monkeypatch.setattr(environment, "write_locks", lambda *given: called.append(given))
    assert commands.run(["lock", *arguments]) == 0
    assert called == [options]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serve"], "no command 'serve'"),
        (["benchmark", "timing"], "benchmark takes one of: agreement, "),
        (["--port", "0"], "'0' is not a port between 1 and 65535"),
        (["--port", "http"], "'http' is not a port between 1 and 65535"),
        (["--ports", "1"], "unrecognized arguments: --ports"),
    ],
)
def test_wrong_arguments_are_named(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        commands.run(arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_failure_is_one_message_and_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def serve(site: Site) -> int:
        raise BootstrapError("port 8000 is taken")

    monkeypatch.setattr(serving, "serve", serve)
    assert commands.run([]) == 1
    assert capsys.readouterr() == ("", "run: port 8000 is taken\n")


def test_interruption_while_installing_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def serve(site: Site) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(serving, "serve", serve)
    assert commands.run([]) == 130
    assert capsys.readouterr() == ("", "run: interrupted\n")


@pytest.mark.parametrize(
    ("arguments", "selection"),
    [
        ([], Selection()),
        (["--fast"], Selection(Extent.FAST)),
        (["--all"], Selection(Extent.ALL, seed=7)),
        (["--all", "--seed", "8"], Selection(Extent.ALL, seed=8)),
        (["--all", "-x"], Selection(Extent.ALL, ("-x",))),
        (["--long", "-x"], Selection(Extent.LONG, ("-x",))),
        (["tests/tasks", "-k", "claim"], Selection(arguments=("tests/tasks", "-k", "claim"))),
        (["tests/a.py", "--fast", "-x"], Selection(Extent.FAST, ("tests/a.py", "-x"))),
    ],
)
def test_test_passes_pytests_arguments_on(
    arguments: list[str], selection: Selection, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Selection] = []

    def run_checks(wanted: Selection) -> int:
        asked.append(wanted)
        return 0

    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(checks, "run_checks", run_checks)
    monkeypatch.setattr(checks, "drawn_seed", lambda: 7)
    assert commands.test(arguments) == 0
    assert asked == [selection]
