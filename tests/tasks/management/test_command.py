"""Every command takes files and options in any order."""

from pathlib import Path

import pytest
from django.core.management import load_command_class
from django.core.management.base import CommandError


def parsed(name: str, line: str) -> dict[str, object]:
    """The options that a command reads off a line, those of Django left out."""
    parser = load_command_class("tasks", name).create_parser("manage.py", name)
    django = ("version", "verbosity", "settings", "pythonpath", "traceback", "no_color")
    left_out = (*django, "force_color", "skip_checks", "json")
    return {
        option: value
        for option, value in vars(parser.parse_args(line.split())).items()
        if option not in left_out
    }


@pytest.mark.parametrize(
    ("name", "first", "others"),
    [
        (
            "evaluate",
            "report r lerc=a bleurt=b --matcher em --seed 3",
            [
                "report r --matcher em lerc=a --seed 3 bleurt=b",
                "report --matcher em r lerc=a bleurt=b --seed 3",
                "report r lerc=a --seed 3 --matcher em bleurt=b",
            ],
        ),
        (
            "evaluate",
            "reproduce bulian train.jsonl dev=d --bem x --bem y --csv c",
            [
                "reproduce --csv c bulian --bem x train.jsonl --bem y dev=d",
                "reproduce bulian train.jsonl --bem x dev=d --bem y --csv c",
            ],
        ),
        (
            "evaluate",
            "squad_v2 d p --na-probs n --missing empty",
            [
                "squad_v2 --na-probs n d --missing empty p",
                "squad_v2 d --na-probs n p --missing=empty",
            ],
        ),
        (
            "train_feather",
            "a b --out w --test t --seed 4",
            ["a --out w b --test t --seed 4", "--out w a --test t b --seed 4"],
        ),
        ("make_aliases", "a b --out t", ["a --out t b", "--out t a b"]),
        ("train_bem", "f --model m --out o --test t", ["--model m --test t f --out o"]),
    ],
)
def test_files_and_options_stand_in_any_order(name: str, first: str, others: list[str]) -> None:
    for other in others:
        assert parsed(name, other) == parsed(name, first)


def test_what_follows_two_hyphens_is_a_file() -> None:
    options = parsed("make_aliases", "--out t -- -odd.jsonl --out")
    assert options == {"files": [Path("-odd.jsonl"), Path("--out")], "out": Path("t")}


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("evaluate", "report r --matcher em --odd 1", "unrecognized arguments: --odd 1"),
        ("evaluate", "squad_v2 d p q --missing empty", "unrecognized arguments: q"),
        ("evaluate", "squad_v2 --missing empty d", "arguments are required: predictions"),
        ("make_aliases", "--out t", "arguments are required: FILE"),
        ("make_aliases", "a b", "arguments are required: --out"),
    ],
)
def test_what_is_too_much_or_missing_is_named(name: str, line: str, message: str) -> None:
    with pytest.raises(CommandError, match=message):
        parsed(name, line)
