"""The modules that a command loads before it does anything, counted: seconds would depend on the
machine and on what else it does."""

import json
import subprocess
import sys
from typing import Final

import pytest

from tests.loaded_modules import HEAVY
from tests.site import ROOT

pytestmark = pytest.mark.slow

# "" is what every command loads
_PROGRAM: Final = """
import json, os, sys
import django

def say(name):
    heavy = [each for each in json.loads(sys.argv[1]) if each in sys.modules]
    print(json.dumps([name, len(sys.modules), heavy]), flush=True)

def apart(work):
    if not os.fork():
        say(work())
        os._exit(0)
    os.wait()

def load_libraries():
    import django.db.models, rest_framework.serializers, numpy
    return "the libraries"

def load_command(name):
    load_command_class(commands[name], name).create_parser("manage.py", name)
    return name

apart(load_libraries)
django.setup()
from django.core.management import get_commands, load_command_class
say("")
commands = get_commands()
for name in [*(each for each in commands if commands[each] == "tasks"), "check", "migrate"]:
    apart(lambda: load_command(name))
"""
_MOST: Final = {
    "": 1.1,
    **dict.fromkeys(("evaluate", "seed_demo", "release", "upload_release"), 1.7),
    **dict.fromkeys(("export_nbest", "generate", "submit", "withdraw_release"), 1.45),
}
"""By command how many times as many modules it may load as the libraries; others 1.3 times."""


def test_command_loads_little_before_it_begins() -> None:
    program = [sys.executable, "-W", "ignore", "-c", _PROGRAM, json.dumps(HEAVY)]
    said = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    loaded = {name: (count, heavy) for name, count, heavy in map(json.loads, said.splitlines())}
    libraries, _none_heavy = loaded.pop("the libraries")
    assert len(loaded) >= 49
    assert {
        name: count / libraries
        for name, (count, _heavy) in loaded.items()
        if count / libraries > _MOST.get(name, 1.3)
    } == {}
    assert {name: heavy for name, (_count, heavy) in loaded.items() if heavy} == {
        "upload_release": ["huggingface_hub"]
    }
