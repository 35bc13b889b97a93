"""E-mail addresses in a text that somebody typed, those spelled out included."""

import re

# What can stand between the name and the host: the sign, a word in brackets, or the plain word.
_AT = re.compile(r"\s{0,2}@\s{0,2}|\s{0,2}[(\[{<]\s{0,2}at\s{0,2}[)\]}>]\s{0,2}|\sat\s", re.I)
_DOT = r"(?:\s{0,2}[(\[{<]\s{0,2}dot\s{0,2}[)\]}>]\s{0,2}|\sdot\s)"
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_LOCAL_WINDOW = 80  # characters before the sign that can belong to the name
_LOCAL = re.compile(r"[\w%+'-]\Z")
_TIGHT_HOST = re.compile(rf"(?:{_LABEL}\.){{1,8}}([^\W\d_]{{2,24}}|xn--[a-z0-9-]{{2,59}})\b", re.I)
_SPELLED_HOST = re.compile(
    rf"(?:{_LABEL}(?:\s{{0,2}}\.\s{{0,2}}|{_DOT})){{1,8}}([a-z]{{2,24}})\b", re.I
)
_WORDED_HOST = re.compile(rf"({_LABEL})(?:{_DOT}{_LABEL}){{0,7}}{_DOT}([a-z]{{2,24}})\b", re.I)
_TYPED_DOMAIN = re.compile(
    r"ac|ai|app|at|au|be|biz|ca|ch|cn|com|cz|de|dev|dk|edu|es|eu|fi|fr|gov|gr|hu|ie|info|int|io|it"
    r"|jp|kr|mil|name|net|nl|no|nz|org|pl|pt|ru|se|tr|ua|uk|us|za",
    re.I,
)
_NO_HOST = re.compile(r"the|an?|this|that|each|every|one|last|first", re.I)


def has_email_address(text: str) -> bool:
    """Whether the text holds an e-mail address (RFC 5321 in the forms that people type).

    Found are name@host.org, also with blanks around the sign, and spelled out: name [at] host
    [dot] org and name at host dot org. A host that is not written in one piece must end in one of
    the common domains, so that sentences with "at" and "dot" in them are none. Time grows with
    the length of the text alone.
    """
    return any(_is_address(text, sign) for sign in _AT.finditer(text))


def _is_address(text: str, sign: re.Match[str]) -> bool:
    start, end = sign.span()
    before = text[max(0, start - _LOCAL_WINDOW) : start]
    if not _LOCAL.search(before):
        return False
    is_word, is_tight = sign[0].strip().lower() == "at", sign[0] == "@"
    if is_word:
        host = _WORDED_HOST.match(text, end)
        return bool(host and _TYPED_DOMAIN.fullmatch(host[2]) and not _NO_HOST.fullmatch(host[1]))
    if is_tight and _TIGHT_HOST.match(text, end):
        return True
    host = _SPELLED_HOST.match(text, end)
    return bool(host and _TYPED_DOMAIN.fullmatch(host[1]))
