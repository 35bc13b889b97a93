"""The time that the tests of every file took, for the summary of `./test`."""

import os
from collections import defaultdict

import pytest

_FILE = os.environ.get("TOMAHTO_TEST_FILE_TIMES")
_spent = defaultdict[str, float](float)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _spent[report.nodeid.partition("::")[0]] += report.duration


def pytest_sessionfinish() -> None:
    """Of several processes the one that collects their reports writes."""
    if _FILE and "PYTEST_XDIST_WORKER" not in os.environ:
        with open(_FILE, "a", encoding="utf-8") as times:  # noqa: PTH123 (a line is enough)
            times.writelines(f"{seconds:.3f} {file}\n" for file, seconds in _spent.items())
