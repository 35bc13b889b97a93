"""CSV that is broken, or that a spreadsheet would run."""

from tests.tomahto.interchange.hostile.case import Hostile, Refused

CASES = (
    Hostile(
        "open-quote",
        "predictions.csv",
        b'id,candidate\n1,a\n2,"b\n3,c\n',
        Refused(3, None, "cannot be read as CSV: unexpected end of data"),
    ),
    Hostile(
        "text-after-a-quote",
        "predictions.csv",
        b'id,candidate\n1,"a"b\n',
        Refused(2, None, "cannot be read as CSV: ',' expected after '\"'"),
    ),
    Hostile(
        "line-feeds-in-a-cell",
        "predictions.csv",
        b'id,candidate\n1,"a\r\n\r\nb"\n2,c,d\n',
        Refused(5, None, "has 3 cells, the header has 2"),
    ),
    Hostile(
        "short-row",
        "ratings.csv",
        b"id,rater,label\n7,r\n",
        Refused(2, None, "has 2 cells, the header has 3"),
    ),
    Hostile(
        "column-twice",
        "predictions.csv",
        b"id,candidate,id\n1,a,2\n",
        Refused(1, "id", "occurs twice in the header"),
    ),
    Hostile(
        "semicolons",
        "predictions.csv",
        b"id;candidate\n1;a\n",
        Refused(1, "id", "is missing in the header (or qid); commas separate columns"),
    ),
    Hostile(
        "million-columns",
        "predictions.csv",
        b"a" + b",a" * 1_000_000 + b"\n",
        Refused(1, "a", "occurs twice in the header"),
    ),
    Hostile(
        "formulas",
        "predictions.csv",
        b"id,candidate\n1,=cmd()\n2,'=cmd()\n3,'+1\n4,\"'\t@\"\n5,''-1\n6,'tis\n",
        [("1", "=cmd()"), ("2", "=cmd()"), ("3", "+1"), ("4", "\t@"), ("5", "'-1"), ("6", "'tis")],
    ),
    Hostile(
        "broken-array",
        "questions.csv",
        b'question,references\na,"[""x"", ""y"""\n',
        Refused(2, "references", "is not JSON: Expecting ',' delimiter"),
    ),
    Hostile(
        "bracketed-text",
        "questions.csv",
        b"question,references\na,[1990]\nb,[sic] x\nc,\n",
        [("a", "", ("[1990]",)), ("b", "", ("[sic] x",)), ("c", "", ())],
    ),
)
