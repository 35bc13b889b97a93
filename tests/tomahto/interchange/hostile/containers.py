"""Archives, compressed files, and files with nothing in them."""

import gzip
import io
import zipfile

from tests.tomahto.interchange.hostile.case import GOOD, GOOD_RECORD, Hostile, Refused


def archive() -> bytes:
    """A zip file that grows a thousandfold, into a folder it was not told of."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("../../etc/passwd", b"0" * 10_000_000)
    return content.getvalue()


CASES = (
    Hostile(
        "gzip",
        "questions.jsonl",
        gzip.compress(GOOD, mtime=0),
        Refused(None, None, "is compressed with gzip; unpack it first"),
    ),
    Hostile(
        "zip-bomb-and-slip",
        "questions.csv",
        archive(),
        Refused(None, None, "is a zip archive; unpack it first"),
    ),
    Hostile(
        "bzip2",
        "items.jsonl",
        b"BZh91AY&SY....",
        Refused(None, None, "is compressed with bzip2; unpack it first"),
    ),
    Hostile(
        "xz",
        "ratings.csv",
        b"\xfd7zXZ\x00\x00",
        Refused(None, None, "is compressed with xz; unpack it first"),
    ),
    Hostile(
        "zstd",
        "predictions.json",
        b"\x28\xb5\x2f\xfd\x00",
        Refused(None, None, "is compressed with zstd; unpack it first"),
    ),
    Hostile(
        "parquet",
        "items.csv",
        b"PAR1\x15\x04",
        Refused(None, None, "is a Parquet file; export it as JSON lines or CSV first"),
    ),
    Hostile(
        "pickle",
        "items.jsonl",
        b"\x80\x04cos\nsystem\n.",
        Refused(1, None, "is not UTF-8: byte 0x80 at offset 0 of the file"),
    ),
    Hostile("empty-lines", "questions.jsonl", b"", []),
    Hostile(
        "empty-csv",
        "predictions.csv",
        b"",
        Refused(1, "id", "is missing in the header (or qid)"),
    ),
    Hostile(
        "empty-document", "predictions.json", b"", Refused(1, None, "an object was expected here")
    ),
    Hostile(
        "blank-lines",
        "questions.jsonl",
        b"\n  \r\n" + GOOD + b"\n\n{}",
        Refused(6, "references", "is missing (or reference, answers)"),
    ),
    Hostile("no-last-line-feed", "questions.jsonl", GOOD.rstrip(), [GOOD_RECORD]),
)
