"""The work for each kind of job. Features register it; queueing imports none of it."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any, NamedTuple

import tasks
from tasks.models import Job, JobKind

Work = Callable[[Job], dict[str, Any]]


class Registered(NamedTuple):
    """The function that does a job and gives its result, and the errors that trying again cannot
    repair."""

    work: Work
    final: tuple[type[Exception], ...]


_registered: dict[JobKind, Registered] = {}


def does(kind: JobKind, *, final: tuple[type[Exception], ...]) -> Callable[[Work], Work]:
    def register(work: Work) -> Work:
        _registered[kind] = Registered(work, final)
        return work

    return register


def work_of(kind: JobKind) -> Registered:
    """The function for such a job; the first call imports the work of all features."""
    if kind not in _registered:
        load_work()
    return _registered[kind]


def load_work() -> None:
    """Import the module `work` of every feature that has one."""
    for name in modules_of_work():
        import_module(name)


def modules_of_work() -> list[str]:
    features = [each.name for each in iter_modules(tasks.__path__, "tasks.") if each.ispkg]
    return [f"{name}.work" for name in features if find_spec(f"{name}.work")]
