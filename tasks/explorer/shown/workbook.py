"""A workbook of Office Open XML (XLSX), a piece at a time, whatever its length.

Texts are cells of the kind `inlineStr`, which no program takes for a formula. A table that is too
long for one sheet goes on in the next.
"""

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, islice
from typing import Any, Final
from xml.sax.saxutils import escape  # nosec B406 - writes XML, reads none

from tasks.web.downloads import ZipPieces, zip_entry

MOST_ROWS: Final = 1_000_000  # of a sheet; programs take 1,048,576
MOST_BYTES: Final = 2**30  # of a sheet, about: a ZIP archive of the usual kind takes twice as much
MOST_CHARACTERS: Final = 32_767  # of a cell, those beyond 16 bits counted twice
_ROWS_AT_ONCE: Final = 500
# what XML cannot hold
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
# what programs would read as a character's number, and a line's end that XML does not keep
_MISREAD: Final = re.compile("_(?=x[0-9A-Fa-f]{4}_)|\r")
_SAID: Final = {"_": "_x005F_", "\r": "_x000D_"}
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_DOCUMENT: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_KIND: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"

XLSX: Final = f"{_KIND}.sheet"
"""The media type of the file."""


def workbook(
    header: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    most: int = MOST_ROWS,
    most_bytes: int = MOST_BYTES,
) -> Iterator[bytes]:
    """The bytes of a workbook with this table; `most` rows, the header among them, to a sheet, and
    not many more than `most_bytes`.

    Cells are texts, numbers and None.
    """
    pieces, rest = ZipPieces(), iter(rows)
    with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]  # write-only
        for number in count(1):
            part = chain([header], islice(rest, most - 1))
            with archive.open(zip_entry(f"xl/worksheets/sheet{number}.xml"), "w") as sheet:
                sheet.write(f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
                room = most_bytes
                while room > 0 and (lines := "".join(map(_row, islice(part, _ROWS_AT_ONCE)))):
                    room -= sheet.write(lines.encode())
                    yield pieces.taken()
                sheet.write(b"</sheetData></worksheet>")
            following = next(rest, None)
            if following is None:
                break
            rest = chain([following], rest)
        for path, content in _parts(number):
            archive.writestr(zip_entry(path), _HEAD + content)
    yield pieces.taken()


def _row(cells: Sequence[Any]) -> str:
    return f"<row>{''.join(map(_cell, cells))}</row>"


def _cell(value: Any) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, (int, float)):
        return f"<c><v>{value!r}</v></c>"
    told = _MISREAD.sub(lambda found: _SAID[found[0]], _cut(_FORBIDDEN.sub("", str(value))))
    text = escape(told)
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _cut(text: str) -> str:
    """As much of it as a cell takes: programs count UTF-16."""
    if 2 * len(text) <= MOST_CHARACTERS:
        return text
    return text.encode("utf-16-le")[: 2 * MOST_CHARACTERS].decode("utf-16-le", "ignore")


def _parts(sheets: int) -> Iterator[tuple[str, str]]:
    """All that is in a workbook besides its sheets."""
    numbers = range(1, sheets + 1)
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_KIND}.worksheet+xml"/>'
        for n in numbers
    )
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
        f"{overrides}</Types>"
    )
    yield "[Content_Types].xml", types
    yield "_rels/.rels", _relations([("officeDocument", "xl/workbook.xml")])
    yield (
        "xl/_rels/workbook.xml.rels",
        _relations([("worksheet", f"worksheets/sheet{n}.xml") for n in numbers]),
    )
    named = "".join(f'<sheet name="Items {n}" sheetId="{n}" r:id="rId{n}"/>' for n in numbers)
    yield (
        "xl/workbook.xml",
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}"><sheets>{named}</sheets></workbook>',
    )


def _relations(targets: Iterable[tuple[str, str]]) -> str:
    each = "".join(
        f'<Relationship Id="rId{n}" Type="{_DOCUMENT}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{_RELATIONS}">{each}</Relationships>'
