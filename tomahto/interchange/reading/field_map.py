"""Where the files of other tools hold our fields, and what their choices are called here."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.limits import MAX_NAME
from tomahto.interchange.reading.row import Row, is_filled_text, refusal
from tomahto.text.plain_name import plain_name

_ITEM_FIELDS: Final = (
    *("item_id", "document", "question_id", "question_type", "question", "context"),
    *("references", "unrated_references", "reference_index", "candidate", "systems"),
)
_LABEL: Final = "CHOICE=LABEL"
_NOTHING: Final = object()  # not even null
_OTHER_NAMES: Final = ("qid", "reference", "system")  # of fields above, as everywhere


@dataclass(frozen=True, slots=True)
class FieldMap:
    """`places` says by our field where the file has it, `labels` by a choice of the file what label
    it is, and `rater` who gave all the ratings. With `takes_newest` the newest counts of several
    that one rater gave. The rest is as docs/formats.md has it."""

    places: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    rater: str | None = None
    takes_newest: bool = False

    @classmethod
    def of(
        cls,
        places: Sequence[str] = (),
        labels: Sequence[str] = (),
        rater: str | None = None,
        *,
        takes_newest: bool = False,
    ) -> Self:
        """From options written FIELD=PLACE and CHOICE=LABEL. Raises ValueError naming the option
        that is not, or that says a thing twice, or that names nobody."""
        maps = _pairs("--map", "FIELD=PLACE", places), _pairs("--label", _LABEL, labels)
        if rater is not None and not is_filled_text(rater := plain_name(rater), MAX_NAME):
            raise ValueError(f"--rater {refusal(rater, MAX_NAME)}")
        return cls(*maps, rater, takes_newest)

    def check(
        self, file: InputFile, chosen: str, mapped: Collection[str], others: Collection[str]
    ) -> None:
        """Raises InputError if the format chosen is none of those that can be `mapped`, or a field
        is neither one of an item nor one of the `others`."""
        if self != FieldMap() and chosen not in mapped:
            formats = " and ".join(mapped)
            raise file.error(f"is read as {chosen}; --map, --label and --rater are for {formats}")
        known = (*_ITEM_FIELDS, *others)
        for name in self.places:
            if name not in known:
                raise file.error(f"--map {name!r:.40} is not one of the fields {', '.join(known)}")

    def place(self, name: str) -> str:
        return self.places.get(name, name)

    def label(self, choice: str) -> str:
        """The label here for the file's choice."""
        return self.labels.get(choice, choice)

    def item_row(self, row: Row, within: str = "") -> Row:
        """The fields of an item, which stand `within` the row unless they are mapped."""
        return self.row_of(
            row, {name: f"{within}{name}" for name in (*_ITEM_FIELDS, *_OTHER_NAMES)}
        )

    def row_of(self, row: Row, places: Mapping[str, str]) -> Row:
        """The fields that stand in these places, unless they are mapped, under our names.

        Raises InputError if a field that is mapped is not there at all.
        """
        names = {name: self.places.get(name, place) for name, place in places.items()}
        values = {name: _value_at(row.values, place) for name, place in names.items()}
        for name, value in values.items():
            if value is _NOTHING and name in self.places:
                raise row.error(f"is missing, although --map names it for {name}", names[name])
        found = {name: value for name, value in values.items() if value is not _NOTHING}
        return Row(row.source, found, row.path, names)


def _pairs(option: str, syntax: str, texts: Sequence[str]) -> Mapping[str, str]:
    pairs: dict[str, str] = {}
    for text in texts:
        # A choice may hold an equals sign, a field and a label cannot.
        head, mark, tail = text.rpartition("=") if syntax == _LABEL else text.partition("=")
        if not (head and mark and tail):
            raise ValueError(f"{option} {text!r} is not written {syntax}")
        if head in pairs:
            raise ValueError(f"{option} names {head!r} twice")
        pairs[head] = tail
    return pairs


def _value_at(values: Mapping[str, object], place: str) -> object:
    """The value at a path of keys joined by dots."""
    value: object = values
    for key in place.split("."):
        value = value.get(key, _NOTHING) if isinstance(value, dict) else _NOTHING
    return value
