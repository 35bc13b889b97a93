"""The beginning and end of each sentence of a text."""

import re

# A full stop ends a sentence before a space and a capital, digit or opening mark, unless it
# stands behind a single capital ("J. Smith") or a common title.
_END = re.compile(
    r"(?<!\b[A-Z]\.)(?<!\b(?:Dr|Mr|Ms|St)\.)(?<!\b(?:Gen|Mrs|Rev)\.)"
    r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])|\n+"
)


def split_sentences(text: str) -> list[str]:
    """The sentences in order, without empty ones; line breaks always end one."""
    sentences, start = [], 0
    for end in _END.finditer(text):
        sentences.append(text[start : end.start()])
        start = end.end()
    sentences.append(text[start:])
    return [sentence for sentence in sentences if sentence.strip()]
