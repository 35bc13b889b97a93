"""Commands in texts for people: found there, and read as the programs that they start would."""

import ast
import re
import shlex
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.core.management import get_commands, load_command_class
from django.core.management.base import CommandError

from bootstrap import commands
from bootstrap.commands import run_parser, split_command
from bootstrap.system import ROOT

ANY = "ANY"  # in place of what a text fills in when it is printed, and of FILE, SLUG and the like

_OURS = sorted(path.stem for path in commands.COMMANDS.glob("[a-z]*.py"))
_HEAD = r"(?:\./run|\./test|manage\.py|(?:python3?|ANY) -m|pip install)(?![\w.])"
_REST = r"(?:\s--[\w-]+(?:\s[\w.:/-]+(?=\s--))?|\s[A-Z][\w:=,]*)*"
_TYPED = re.compile(
    r"`([^`]+)`|<code[^>]*>([^<]+)</code>|^ {0,4}((?:manage\.py|python -m) .+?)(?=[:;] |$)",
    re.MULTILINE,
)
_IN_PROSE = re.compile(
    rf"(?:\./run (?:--models )?(?:manage|python -m) |manage\.py |python3? -m )"
    rf"[a-z][\w.]*\w{_REST}"
    rf"|\b(?:{'|'.join(name for name in _OURS if '_' in name or name == 'evaluate')})"
    rf"(?: [a-z_12]+)?(?=(?: [A-Z]\S*)* --[a-z]){_REST}"
)
_FILLED_IN = re.compile(r"\{\{.*?\}\}|\{\w*\}|%\(\w+\)s|%s")
_LEFT_OUT = re.compile(r"[\[\]…]|\.\.\.|\s*\|\s*[^\s\]]+")  # brackets, and other choices than one
_PLACEHOLDER = re.compile(r"(?<![A-Za-z])[A-Z]+(?![a-z])")


def texts_of(source: Path, *, with_docstrings: bool = True) -> Iterator[str]:
    """The texts that a file may print: those of a module, or all of another file."""
    text = source.read_text(encoding="utf-8")
    if source.suffix not in {"", ".py"}:
        return iter([text])
    return _texts(ast.parse(text), with_docstrings=with_docstrings)


def commands_in(text: str) -> Iterator[list[str]]:
    """The words of each command that the text has in backticks, as code, as the usage of a module,
    or in a sentence; there with the options that follow at once."""
    for found in _TYPED.finditer(text):
        typed = " ".join(next(filter(None, found.groups())).split())
        name, _, rest = typed.partition(" ")
        if re.match(_HEAD, _without_settings(typed)) or (name in _OURS and rest):
            yield _words(typed)
    for found in _IN_PROSE.finditer(_TYPED.sub("", text)):
        yield _words(found[0])


def fault_of(words: Sequence[str]) -> str:
    """Why that cannot be typed; "" if it can. Arguments may be left out."""
    match words:
        case ["./run", *arguments]:
            return _fault_of_run(arguments)
        case ["./test", *arguments]:
            gone = [one for one in arguments if "/" in one and not (ROOT / one).exists()]
            return f"there is no {gone[0]}" if gone else ""
        case ["python" | "python3" | "ANY", "-m", module, *_]:
            return "" if module == ANY or find_spec(module) else f"there is no module {module}"
        case ["python" | "python3" | "pip", *_]:
            return ""
        case ["manage.py"] | [] | ["manage.py", "ANY" | "help", *_]:
            return ""
        case ["manage.py", name, *arguments] | [name, *arguments]:
            return _fault_of_management(name, arguments)
    return ""


def _fault_of_run(words: Sequence[str]) -> str:
    options, command, arguments = split_command(words)
    known = run_parser()._option_string_actions
    if unknown := [one for one in options if one.startswith("-") and one not in known]:
        return f"./run has no option {unknown[0]}"
    match command, arguments:
        case (None, _) | ("ANY", _) | ("python", []) | ("lock", [] | ["--upgrade"]):
            return ""
        case "manage", _:
            return fault_of(["manage.py", *arguments])
        case "translations", _:
            return fault_of(["manage.py", "translations", *arguments])
        case "python", [first, *_]:
            is_there = not first.endswith(".py") or (ROOT / first).is_file()
            return fault_of(["python", *arguments]) if is_there else f"there is no {first}"
        case "benchmark", [] | ["ANY", *_]:
            return ""
        case "benchmark", [name, *_] if name in commands.programs(commands.BENCHMARKS):
            return ""
    return f"./run cannot do {' '.join([str(command), *arguments])}"


def _fault_of_management(name: str, arguments: Sequence[str]) -> str:
    if name not in get_commands():
        return f"there is no command {name}"
    try:
        _lenient_parser(name).parse_args([one for one in arguments if one not in {"-h", "--help"}])
    except CommandError as error:
        return str(error)
    return ""


@cache
def _lenient_parser(name: str) -> ArgumentParser:
    """Takes placeholders for all values, and does not miss what is left out."""
    command = load_command_class(get_commands()[name], name)
    return _made_lenient(command.create_parser("manage.py", name))


def _made_lenient(parser: ArgumentParser) -> ArgumentParser:
    parser._mutually_exclusive_groups.clear()  # a usage lists all there are
    actions: list[Any] = parser._actions
    for action in actions:
        action.required = False
        if isinstance(action, _SubParsersAction):
            parsers = [_made_lenient(inner) for inner in action.choices.values()]
            action._name_parser_map[ANY] = parsers[0]
            continue
        action.nargs = {None: "?", "+": "*"}.get(action.nargs, action.nargs)
        action.choices = action.choices and [*action.choices, ANY]
        action.type = action.type and partial(_unless_any, action.type)
    return parser


def _unless_any(read: Callable[[str], Any], text: str) -> Any:
    return text if text == ANY else read(text)


def _words(text: str) -> list[str]:
    filled = _FILLED_IN.sub(ANY, _without_settings(text).split(" > ")[0].replace("[no-]", ""))
    left = _LEFT_OUT.sub(" ", filled)
    words = shlex.split(left, comments=True) if left.count("'") % 2 == 0 else left.split()
    return [
        word.removesuffix(ANY)
        if word.startswith("-")
        else (ANY if _PLACEHOLDER.search(word) else word)
        for word in words
    ]


def _without_settings(text: str) -> str:
    return re.sub(r"^(?:python |(?:\w+=\S+ )+)(?=\./|manage)", "", text)


def _texts(node: ast.AST, *, with_docstrings: bool) -> Iterator[str]:
    inner = partial(_texts, with_docstrings=with_docstrings)
    match node:
        case ast.Expr(value=ast.Constant()) if not with_docstrings:
            return
        case ast.Constant(value=str(text)):
            yield text
        case ast.keyword(arg="extra", value=ast.Constant(value=str(name))):
            yield f"extra `{name}`"
        case ast.JoinedStr(values=parts):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else ANY for part in parts
            )
            for part in parts:
                if isinstance(part, ast.FormattedValue):
                    yield from inner(part.value)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from inner(child)
