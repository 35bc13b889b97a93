"""The English words feather knows something about: other spellings, and words of a kind."""

from collections.abc import Mapping

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
