"""Text that is not UTF-8, or is and looks odd."""

import codecs

from tests.tomahto.interchange.hostile.case import GOOD, GOOD_RECORD, Hostile, Refused, line

CASES = (
    Hostile("byte-order-mark", "questions.jsonl", codecs.BOM_UTF8 + GOOD, [GOOD_RECORD]),
    Hostile(
        "byte-order-mark-csv",
        "predictions.csv",
        codecs.BOM_UTF8 + b"id,candidate\n1,a\n",
        [("1", "a")],
    ),
    Hostile(
        "byte-order-mark-squad", "predictions.json", codecs.BOM_UTF8 + b'{"1": "a"}', [("1", "a")]
    ),
    Hostile(
        "byte-order-mark-inside",
        "questions.jsonl",
        GOOD + codecs.BOM_UTF8 + GOOD,
        Refused(2, None, "is not JSON: Expecting value (character 1)"),
    ),
    Hostile(
        "utf-16-le",
        "questions.jsonl",
        codecs.BOM_UTF16_LE + GOOD.decode().encode("utf-16-le"),
        Refused(None, None, "is UTF-16 text; save it as UTF-8"),
    ),
    Hostile(
        "utf-16-be",
        "predictions.csv",
        codecs.BOM_UTF16_BE + "id,candidate\n".encode("utf-16-be"),
        Refused(None, None, "is UTF-16 text; save it as UTF-8"),
    ),
    Hostile(
        "utf-32",
        "predictions.json",
        codecs.BOM_UTF32_LE + "{}".encode("utf-32-le"),
        Refused(None, None, "is UTF-32 text; save it as UTF-8"),
    ),
    Hostile(
        "utf-16-unmarked",
        "questions.jsonl",
        GOOD.decode().encode("utf-16-le"),
        Refused(1, None, "holds a NUL character"),
    ),
    Hostile(
        "latin-1-lines",
        "questions.jsonl",
        GOOD + '{"question": "Où?", "references": ["là"]}\n'.encode("latin-1"),
        Refused(2, None, "is not UTF-8: byte 0xF9 at offset 59 of the file"),
    ),
    Hostile(
        "latin-1-csv",
        "predictions.csv",
        "id,candidate\n1,là\n".encode("latin-1"),
        Refused(2, None, "is not UTF-8: byte 0xE0 at offset 16 of the file"),
    ),
    Hostile(
        "latin-1-document",
        "predictions.json",
        '{"1": "a",\n "2": "là"}'.encode("latin-1"),
        Refused(2, None, "is not UTF-8: byte 0xE0 at offset 19 of the file"),
    ),
    Hostile(
        "truncated-character",
        "predictions.json",
        '{"1": "là'.encode()[:-1],
        Refused(1, None, "is not UTF-8: byte 0xC3 at offset 8 of the file"),
    ),
    Hostile(
        "overlong-slash",
        "predictions.csv",
        b"id,candidate\n1,\xc0\xaf\n",
        Refused(2, None, "is not UTF-8: byte 0xC0 at offset 15 of the file"),
    ),
    Hostile(
        "surrogate-bytes",
        "predictions.csv",
        b"id,candidate\n1,\xed\xa0\x80\n",
        Refused(2, None, "is not UTF-8: byte 0xED at offset 15 of the file"),
    ),
    Hostile(
        "nul-line",
        "questions.jsonl",
        GOOD + b'{"question": "a\0b"}\n',
        Refused(2, None, "holds a NUL character"),
    ),
    Hostile(
        "nul-csv",
        "predictions.csv",
        b"id,candidate\n1,a\n2,\0\n",
        Refused(3, None, "holds a NUL character"),
    ),
    Hostile(
        "nul-document",
        "predictions.json",
        b'{"1": "a",\n\n"2": "\0"}',
        Refused(3, None, "holds a NUL character"),
    ),
    Hostile(
        "nul-escaped",
        "questions.jsonl",
        line(question="a\0b", references=["x"]).replace(b"\0", b"\\u0000"),
        Refused(1, "question", "holds a NUL character"),
    ),
    Hostile(
        "half-surrogate",
        "questions.jsonl",
        GOOD + b'{"question": "a\\ud800", "references": ["x"]}',
        Refused(2, "question", "holds half a surrogate pair (U+D800 at character 2)"),
    ),
    Hostile(
        "half-surrogate-candidate",
        "predictions.json",
        b'{"1": "\\udfff"}',
        Refused(1, "1.candidate", "holds half a surrogate pair (U+DFFF at character 1)"),
    ),
    Hostile(
        "half-surrogate-key",
        "predictions.json",
        b'{"\\ud83d": "a"}',
        Refused(1, "\\ud83d.id", "holds half a surrogate pair (U+D83D at character 1)"),
    ),
    Hostile(
        "half-surrogate-reference",
        "questions.jsonl",
        b'{"question": "a", "references": ["x", "\\uDC00"]}',
        Refused(1, "references[1]", "holds half a surrogate pair (U+DC00 at character 1)"),
    ),
    Hostile(
        "whole-surrogate-pair",
        "predictions.json",
        b'{"1": "\\ud83d\\ude00"}',
        [("1", "\U0001f600")],
    ),
    Hostile(
        "zero-width",
        "questions.jsonl",
        line(question="a\u200bb\u2060?", references=["\u200d\ufeffx"]),
        [("a\u200bb\u2060?", "", ("\u200d\ufeffx",))],
    ),
    Hostile(
        "right-to-left",
        "predictions.csv",
        "id,candidate\n1,\u202eevil\u202c \u0627\u0644\n".encode(),
        [("1", "\u202eevil\u202c \u0627\u0644")],
    ),
    Hostile(
        "line-separators-inside",
        "predictions.jsonl",
        line(id="1", candidate="a\u2028b\u2029c\x85d"),
        [("1", "a\u2028b\u2029c\x85d")],
    ),
    Hostile(
        "decomposed-accents",
        "predictions.jsonl",
        line(id="e\u0301", candidate="a") + line(id="é", candidate="b"),
        Refused(2, "id", "the question id 'é' is also on line 1"),
    ),
)
