"""Every moment at which publishing touches the disk or the database."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connections

from tests.exporters.steps import Act, every_step


@contextmanager
def every_step_and_statement(act: Act) -> Iterator[None]:
    """Call `act` before each step on the disk and each statement, before and after each commit."""
    database: Any = connections["default"]  # the stubs do not know its private parts
    commit = database._commit

    def execute(run: Callable[..., Any], *arguments: Any) -> Any:
        act("statement")
        return run(*arguments)

    def committing() -> None:
        act("commit")
        commit()
        act("committed")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_commit", committing)
        with database.execute_wrapper(execute), every_step(act):
            yield
