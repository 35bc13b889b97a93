"""How much an imported file may ask of us. Far above honest data, far below what hurts a server."""

from typing import Final

MEBIBYTE: Final = 2**20

# A context of full length, escaped as \uXXXX, takes six bytes a character and still fits.
MAX_RECORD_SIZE: Final = 8 * MEBIBYTE  # one line (bytes), one CSV record or JSON value (characters)
MAX_DOCUMENT_BYTES: Final = 1024 * MEBIBYTE  # a whole JSON document; lines may go on for ever
MAX_DEPTH: Final = 64  # brackets open at once
MAX_VALUES: Final = 500_000  # values in one record: small ones take ten times their text in memory
MAX_NUMBER_LENGTH: Final = 100  # characters; reading an integer takes quadratic time
MAX_KEYS: Final = 1_000_000  # names that must be distinct within one file

MAX_CONTEXT: Final = 1_000_000  # characters, like all below
MAX_TEXT: Final = 20_000  # question, reference, candidate, comment
MAX_TYPE: Final = 60  # characters of a type of question
MAX_INTENDED: Final = 100  # characters of what a candidate was written as
MAX_SPLIT_NAME: Final = 40
MAX_NAME: Final = 255  # id, document, system, rater, label
MAX_LIST: Final = 10_000  # entries of one list: references, systems, questions of a paragraph
MAX_SECONDS: Final = 366 * 24 * 3600.0  # more than a year on one item is another unit
MAX_INDEX: Final = 32_767
