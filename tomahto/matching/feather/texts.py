"""Texts as numbered words, each distinct word analysed once."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from threading import Lock
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from tomahto.matching.feather.words import Word, analyse
from tomahto.types import Integers

MAX_WORDS = 400
MAX_CHARACTERS = 12 * MAX_WORDS

_SEPARATORS = str.maketrans(dict.fromkeys('()[]{}<>"«»:;/\\|*_-‐‑=+~`^#@…•·„%$£€&', " "))
_LIGATURES = {"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th"}
_PLAIN_LETTERS = str.maketrans("øØłŁđĐðı–—“”’‘ʻ", "oOlLdDdi    '''") | str.maketrans(_LIGATURES)
# Accents split off their letters, soft hyphens, zero-width marks and marks of direction.
MARKS = re.compile("[\u0300-\u036f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_TYPES: Mapping[type, str] = {bool: "?", int: "i8", float: "f8", str: "i8"}
# What is known of words, one column per field of `Word`, the two texts as numbers.
_COLUMNS: Mapping[str, str] = {name: _TYPES[kind] for name, kind in get_type_hints(Word).items()}


class Facts:
    """Facts about some words: `facts["year"]` has one entry per word."""

    def __init__(self, columns: Mapping[str, NDArray[Any]], words: Integers) -> None:
        self._columns = columns
        self._words = words
        self._read: dict[str, NDArray[Any]] = {}

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._read:
            self._read[name] = self._columns[name][self._words]
        return self._read[name]

    def at(self, places: Integers) -> "Facts":
        """The facts of the words at these places."""
        return Facts(self._columns, self._words[places])


def split(text: str) -> list[str]:
    """The first 400 words among the first 4,800 characters, with the stops that hang on them.

    Accents, invisible marks and the direction of writing are dropped.
    """
    text = text.lstrip()[:MAX_CHARACTERS]
    if not text.isascii():
        text = MARKS.sub("", unicodedata.normalize("NFKD", text)).translate(_PLAIN_LETTERS)
    return text.translate(_SEPARATORS).split()[:MAX_WORDS]


class Lexicon:
    """Numbers words in order of first occurrence and keeps what is known of each.

    It only ever grows, so numbers and facts given out stay true; `len` tells when to start a
    new one. Several threads may use it.
    """

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__  # a new word gets the next number
        self._forms: defaultdict[str, int] = defaultdict()
        self._forms.default_factory = self._forms.__len__
        self._canonical: list[str] = []
        self._columns = {name: np.empty(0, kind) for name, kind in _COLUMNS.items()}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._numbers)

    def read(self, texts: Sequence[str]) -> "Texts":
        """The texts' words without articles, unless a text has nothing else."""
        lists = [split(text) for text in texts]
        with self._lock:
            number = np.fromiter(
                map(self._numbers.__getitem__, chain.from_iterable(lists)), dtype=np.int64
            )
            self._learn_new_words()
            columns, canonical = self._columns, self._canonical
        text = np.repeat(np.arange(len(lists)), [len(words) for words in lists])
        article = columns["article"][number]
        n_others = np.bincount(text[~article], minlength=len(lists))
        kept = ~article | (n_others == 0)[text]
        length = np.bincount(text[kept], minlength=len(lists))
        return Texts(lists, columns, canonical, number[kept], np.cumsum(length) - length, length)

    def _learn_new_words(self) -> None:
        n_known = len(self._canonical)
        if len(self._numbers) == n_known:
            return
        new = [analyse(word) for word in islice(self._numbers, n_known, None)]
        self._canonical.extend([word.canonical for word in new])
        numbered = [(self._forms[word[0]], self._forms[word[1]], *word[2:]) for word in new]
        self._columns = {
            name: np.append(known, np.array(values, kind))
            for (name, kind), known, values in zip(
                _COLUMNS.items(),
                self._columns.values(),
                zip(*numbered, strict=True),
                strict=True,
            )
        }


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Text t is the words `word[start[t] : start[t] + length[t]]`.

    `columns` hold what is known of each word, `canonical` its form.

    `raw[t]` are its words as written, articles included.
    """

    raw: Sequence[Sequence[str]]
    columns: Mapping[str, NDArray[Any]]
    canonical: Sequence[str]
    word: Integers
    start: Integers
    length: Integers

    def phrases(self) -> list[list[str]]:
        """The canonical words of every text."""
        names = list(map(self.canonical.__getitem__, self.word.tolist()))
        ends = (self.start + self.length).tolist()
        return [names[start:end] for start, end in zip(self.start.tolist(), ends, strict=True)]

    def places(self, texts: Integers, stem: Integers) -> "Places":
        """The words of one text per row; `stem` has one number per word of all texts."""
        size = self.length[texts]
        start = np.cumsum(size) - size
        row = np.repeat(np.arange(len(texts)), size)
        position = np.arange(len(row)) - start[row]
        at = self.start[texts][row] + position
        return Places(row, position, start, size, stem[at], Facts(self.columns, self.word[at]))


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The words of one field of every row, row after row.

    `row`, `position` (in the row, from 0), `stem` and `facts` have one entry per word; `start`
    (where a row's words begin) and `size` (how many they are) one per row.
    """

    row: Integers
    position: Integers
    start: Integers
    size: Integers
    stem: Integers
    facts: Facts

    def count(self, which: NDArray[np.bool_]) -> Integers:
        """For each row how many of its words are meant."""
        return np.bincount(self.row[which], minlength=len(self.size))
