"""Headers of pages that no writer makes: each is refused at once."""

from io import BufferedReader, BytesIO
from types import SimpleNamespace
from typing import Any

import pytest

from tomahto.releases.files.parquet_pages import unpacked

LIST, BOOLEAN = 9, 1
FIELD = 0x10  # the first field of a struct, of a type to be added


def read(header: bytes) -> None:
    """Look at the pages of a file that consists of one column, whose first page begins so."""
    column = SimpleNamespace(
        num_values=1,
        data_page_offset=0,
        dictionary_page_offset=None,
        has_dictionary_page=False,
        total_compressed_size=len(header),
    )
    group = SimpleNamespace(column=lambda _: column)
    metadata: Any = SimpleNamespace(num_row_groups=1, num_columns=1, row_group=lambda _: group)
    unpacked(BufferedReader(BytesIO(header)), metadata)


def test_list_of_more_booleans_than_there_are_bytes() -> None:
    with pytest.raises(ValueError, match="cut off"):
        read(bytes([FIELD + LIST, 0xF0 + BOOLEAN]) + b"\xff" * 9 + b"\x01")


def test_lists_within_lists() -> None:
    with pytest.raises(ValueError, match="nested too deep"):
        read(bytes([FIELD + LIST]) + bytes([0x10 + LIST]) * 60_000)


@pytest.mark.parametrize("length", range(1, 12))
def test_header_that_is_cut_off(length: int) -> None:
    whole = bytes([0x15, 0, 0x15, 20, 0x15, 20, 0x2C, 0x15, 2, 0x15, 0, 0, 0])
    with pytest.raises(ValueError, match=r"cut off|damaged"):
        read(whole[:length])
