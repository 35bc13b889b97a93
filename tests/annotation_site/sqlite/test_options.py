"""The journal that is safe for the version of SQLite at hand."""

import pytest

from annotation_site.sqlite.options import journal_mode


@pytest.mark.parametrize(
    ("version", "mode"),
    [
        ((3, 40, 1), "TRUNCATE"),
        ((3, 44, 5), "TRUNCATE"),
        ((3, 44, 6), "WAL"),
        ((3, 50, 6), "TRUNCATE"),
        ((3, 50, 7), "WAL"),
        ((3, 51, 2), "TRUNCATE"),
        ((3, 51, 3), "WAL"),
    ],
)
def test_journal_mode_avoids_the_wal_reset_bug(version: tuple[int, ...], mode: str) -> None:
    assert journal_mode(version) == mode
