"""Single words as feather compares them: canonical form, stem, letter pairs, and their kind.

The canonical form folds what people write in several ways (case, possessives, number words,
ordinals, Roman numerals, abbreviated months and titles, units): words with equal forms are taken
for the same. The stem cuts English endings on top of that. A word arrives as it stands between
spaces, so stops, commas and quotes may still hang on it.
"""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen"""
_ORDINALS = """zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh
    twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_MONTHS = "january february march april may june july august september october november december"
_ROMAN = "- - II III IV - VI VII VIII IX - XI XII XIII XIV XV XVI XVII XVIII XIX XX"
_OTHER_SPELLINGS = {
    "1": "once single",
    "2": "twice",
    "12": "dozen",
    "100": "hundred",
    "1000": "thousand",
    "september": "sept",
    "mount": "mt",
    "saint": "st ste",
    "doctor": "dr",
    "mister": "mr",
    "junior": "jr",
    "senior": "sr",
    "percent": "pct",
    "us": "usa",
    "uk": "britain",
    "dollar": "dollars",
    "pound": "pounds lb lbs",
    "euro": "euros",
    "versus": "vs",
    "km": "kilometers kilometres kilometer kilometre",
    "mile": "miles mi",
    "foot": "feet ft",
    "inch": "inches",
    "metre": "meters metres meter m",
    "cm": "centimeters centimetres",
    "kg": "kilograms kilogram",
    "bc": "bce",
    "ad": "ce",
}


def _kind(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _spellings() -> dict[str, str]:
    spellings: dict[str, str] = {}
    for number, words in enumerate(zip(_ONES.split(), _ORDINALS.split(), strict=True)):
        spellings.update(dict.fromkeys(words, str(number)))
    for ten, word in enumerate(_TENS.split(), start=2):
        spellings[word] = spellings[f"{word[:-1]}ieth"] = str(10 * ten)
    for month in _MONTHS.split():
        spellings[month[:3]] = month
    for form, others in _OTHER_SPELLINGS.items():
        spellings.update(dict.fromkeys(others.split(), form))
    return spellings


SPELLINGS: Mapping[str, str] = _spellings()
# Single letters are left out: they are initials more often than numbers.
ROMAN_NUMBERS: Mapping[str, str] = {
    roman: str(value) for value, roman in enumerate(_ROMAN.split()) if roman != "-"
}

ARTICLES = _kind("a an the")
# The currencies and percent are passed over because their signs are.
STOP_WORDS = ARTICLES | _kind(
    """of in on at to for by with from and or as is was are were be been being it its this that
    these those he she they his her their him them who whom whose which what when where why how
    did do does has have had i you we my your our me there than then so if but into about over
    after before during also will would can could percent dollar pound euro"""
)
NEGATIONS = _kind(
    """not no never none neither nor cannot without dont didnt doesnt isnt wasnt arent werent cant
    couldnt wont wouldnt hasnt havent hadnt"""
)
CONTRASTS = _kind("however but although though while actually instead rather contrary")
ALTERNATIVES = _kind("or also another several various other depends many both different")
HEDGES = _kind(
    """may might likely probably possibly perhaps believed reportedly approximately about around
    estimated nearly roughly over"""
)
# Words that refuse an answer, and words that do after a negation (`is not mentioned`).
UNKNOWING = _kind(
    """sorry unclear unknown unable unfortunately insufficient apologize apologise unspecified
    undetermined unanswerable"""
)
KNOWING = _kind(
    """know known sure certain clear mention mentioned specify specified state stated provide
    provided available find found determine determined say information answer enough possible
    definitive aware evidence data"""
)

_HANGING = ".,!?'"
_BITS = 126  # of a word's letter pairs: two whole numbers of 63 bits
_HALF = (1 << 63) - 1

_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th|s)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MAX_DIGITS = 15  # that a float holds exactly
_YEAR = re.compile(r"1\d\d\d|20\d\d")
# What copying leaves of footnote marks and lost spaces: `18991` (1899, note 1), `sails12`, `6ft`.
_YEAR_WITH_NOTE = re.compile(r"(1[5-9]\d\d|20[0-2]\d)[1-9]")
_WORD_WITH_NOTE = re.compile(r"([^\W\d_]{4,})\d{1,2}")
_NUMBER_WITH_UNIT = re.compile(r"(\d+(?:\.\d+)?)[^\W\d_]{2,}")
_VOWEL = re.compile(r"[aeiouy]")
_ENDINGS = (
    ("ies", "y"),
    ("sses", "ss"),
    ("shes", "sh"),
    ("ches", "ch"),
    ("xes", "x"),
    ("ness", ""),
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    ("s", ""),
    ("ing", ""),
    ("ed", ""),
    ("ly", ""),
)


class Word(NamedTuple):
    """Facts about a word.

    `pairs_low` and `pairs_high` hold the set of its letter pairs as bits, `n_pairs` of them;
    numbers have none. `first_letter` is a code point, 0 without letters; `value` a number's
    value, -1 of anything else. `initial` is a single capital letter, `decade` a number with an
    s (1990s), `sentence_end` a word that a sentence can end with.
    """

    canonical: str
    stem: str
    pairs_low: int
    pairs_high: int
    n_pairs: int
    length: int
    first_letter: int
    initial: bool
    value: float
    article: bool
    stop: bool
    number: bool
    year: bool
    decade: bool
    ordinal: bool
    capital: bool
    negation: bool
    contrast: bool
    alternative: bool
    hedge: bool
    unknowing: bool
    knowing: bool
    sentence_end: bool


def analyse(raw: str) -> Word:
    """Facts about the word, whatever text it stands in."""
    bare = raw.strip(_HANGING)
    canonical = canonical_form(bare)
    is_number = canonical[:1].isdigit()
    pairs = 0 if is_number else _letter_pairs(canonical)
    has_value = len(canonical) <= _MAX_DIGITS and _NUMBER.fullmatch(canonical)
    return Word(
        canonical=canonical,
        stem=canonical if is_number else stem(canonical),
        pairs_low=pairs & _HALF,
        pairs_high=pairs >> 63,
        n_pairs=pairs.bit_count(),
        length=len(canonical),
        first_letter=ord(canonical[0]) if canonical else 0,
        initial=len(bare) == 1 and bare.isupper() and not is_number,
        value=float(canonical) if has_value else -1.0,
        article=canonical in ARTICLES,
        stop=canonical in STOP_WORDS or not canonical,
        number=is_number,
        year=_YEAR.fullmatch(canonical) is not None,
        decade=is_number and bare.endswith("s"),
        ordinal=is_number and bare.lower().endswith(("st", "nd", "rd", "th")),
        capital=bare[:1].isupper(),
        negation=canonical in NEGATIONS,
        contrast=canonical in CONTRASTS,
        alternative=canonical in ALTERNATIVES,
        hedge=canonical in HEDGES,
        unknowing=canonical in UNKNOWING,
        knowing=canonical in KNOWING,
        sentence_end=raw[-1:] in ".!?" and len(canonical) > 2,
    )


def canonical_form(bare: str) -> str:
    """The form in which different ways to write one word are equal; may be empty."""
    if bare in ROMAN_NUMBERS:
        return ROMAN_NUMBERS[bare]
    word = bare.lower().removesuffix("'s").replace("'", "")
    if word[:1].isdigit():
        return _number_form(word)
    word = word.replace(".", "").replace(",", "")
    noted = _WORD_WITH_NOTE.fullmatch(word)
    if noted:
        word = noted[1]
    return SPELLINGS.get(word, word)


def stem(word: str) -> str:
    """Cuts a frequent English ending if three letters with a vowel remain."""
    for ending, other in _ENDINGS:
        if word.endswith(ending):
            root = word[: -len(ending)]
            if len(root) >= 3 and _VOWEL.search(root):
                root += other
                if ending in ("ing", "ed") and root[-1] == root[-2]:
                    root = root[:-1]
                return root.removesuffix("e")
            break
    return word.removesuffix("e") if len(word) > 4 else word


def _number_form(word: str) -> str:
    """Digits without thousands separators, endings, units and idle zeros."""
    noted = _YEAR_WITH_NOTE.fullmatch(word)
    if noted:
        return noted[1]
    word = word.replace(",", "")
    ending = _ORDINAL.fullmatch(word) or _NUMBER_WITH_UNIT.fullmatch(word)
    if ending:
        word = ending[1]
    if "." in word:
        word = word.rstrip("0").rstrip(".")
    return word.lstrip("0") or "0"


def _letter_pairs(word: str) -> int:
    """The set of letter pairs of ^word$, hashed to bits."""
    bits = 0
    for first, second in pairwise(f"^{word}$"):
        bits |= 1 << ((ord(first) * 31 + ord(second) * 7) % _BITS)
    return bits
